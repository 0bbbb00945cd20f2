//! The doors of the component: requests come in through `wasi:http`, and what is kept lies behind `wasi:keyvalue`.

#[cfg(feature = "bare")]
mod bare;
mod bucket;

/// What `wit/` says, in Rust.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated from wit/")]
#[allow(unsafe_code, reason = "generated: values cross the component boundary as raw memory")]
mod bindings {
    #[cfg(feature = "draft2")]
    wit_bindgen::generate!({ world: "service-draft2", path: "wit", generate_all });
    #[cfg(all(feature = "draft", not(feature = "draft2")))]
    wit_bindgen::generate!({ world: "service-draft", path: "wit", generate_all });

    export!(Service with_types_in self);

    use super::Service;
}

use crate::api::{self, Request, Response};
use bindings::exports::wasi::http::incoming_handler::Guest;
use bindings::wasi::http::types::{
    ErrorCode, Fields, IncomingRequest, Method, OutgoingBody, OutgoingResponse, ResponseOutparam,
};
use bindings::wasi::io::streams::OutputStream;
use bucket::HostBucket;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Where the bucket can compare and swap, it does.
#[cfg(feature = "draft2")]
type Head = crate::kv::Native;
#[cfg(all(feature = "draft", not(feature = "draft2")))]
type Head = crate::kv::Claims;

/// How much of a body is read at a time.
const CHUNK: u64 = 64 * 1024;

/// The component.
struct Service;

impl Guest for Service {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        #[cfg(feature = "bare")]
        if let Some(response) = bare::answer(&request) {
            return send(out, &response);
        }
        let (response, later) = match HostBucket::open() {
            Ok(bucket) => ready(api::answer::<_, Head>(&bucket, incoming(&request))).unwrap_or_else(stuck),
            Err(_) => (Response::unavailable(), None),
        };
        send(out, &response);
        if let Some(later) = later {
            ready(later.run());
        }
    }
}

type Answer = (Response, Option<api::Later<HostBucket, Head>>);

/// Nothing here ever waits otherwise than in the host: what is not done when it is first asked never will be.
fn ready<T>(call: impl Future<Output = T>) -> Option<T> {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}

fn stuck() -> Answer {
    (Response::unavailable(), None)
}

fn incoming(request: &IncomingRequest) -> Request<'_> {
    let method = match request.method() {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(_) => "OTHER",
    };
    let headers = request.headers().entries().into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value));
    let body = request.consume().ok();
    let stream = body.as_ref().and_then(|body| body.stream().ok());
    let source = (stream, body);
    let chunks = move || {
        // Both of them: a host takes a body back only after its stream.
        let (stream, _body) = &source;
        stream.as_ref()?.blocking_read(CHUNK).ok()
    };
    Request {
        method: method.to_owned(),
        target: request.path_with_query().unwrap_or_default(),
        headers: headers.collect(),
        body: Box::new(chunks),
    }
}

fn send(out: ResponseOutparam, response: &Response) {
    let headers = response.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone().into_bytes()));
    // Whoever reads it knows where it ends.
    let length = Some(("content-length".to_owned(), response.body.len().to_string().into_bytes()));
    let headers: Vec<_> = headers.chain(length.filter(|_| !response.body.is_empty())).collect();
    let made = Fields::from_list(&headers).map(OutgoingResponse::new);
    let made = made.map_err(|_| ErrorCode::InternalError(None)).and_then(|made| {
        let body = made.set_status_code(response.status).and_then(|()| made.body());
        Ok((made, body.map_err(|()| ErrorCode::InternalError(None))?))
    });
    match made {
        Err(error) => ResponseOutparam::set(out, Err(error)),
        Ok((made, body)) => {
            // Written and finished before the head is sent, if the host takes it in one go: otherwise a host sends two small
            // packets, and a client that keeps its connection waits for the second one until it has confirmed the first.
            let waits = write_at_once(&body, &response.body);
            if let Some(stream) = waits {
                ResponseOutparam::set(out, Ok(made));
                // A client that hangs up in the middle of an answer gets no other.
                write(&stream, &response.body);
                drop(stream);
                drop(OutgoingBody::finish(body, None));
            } else {
                drop(OutgoingBody::finish(body, None));
                ResponseOutparam::set(out, Ok(made));
            }
        }
    }
}

/// Writes all of a body, if that needs nobody who reads it; else the stream to write it to.
fn write_at_once(body: &OutgoingBody, bytes: &[u8]) -> Option<OutputStream> {
    let stream = body.write().ok().filter(|_| !bytes.is_empty())?;
    let fits = stream.check_write().is_ok_and(|most| most >= bytes.len() as u64);
    if fits && stream.write(bytes).is_ok() { None } else { Some(stream) }
}

/// Writes as much at a time as the other end takes. Nothing is done about one that is gone.
fn write(stream: &OutputStream, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match stream.check_write() {
            Ok(0) => stream.subscribe().block(),
            Ok(most) => {
                let (now, rest) = bytes.split_at(bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX)));
                if stream.write(now).is_err() {
                    return;
                }
                bytes = rest;
            }
            Err(_) => return,
        }
    }
    drop(stream.blocking_flush());
}
