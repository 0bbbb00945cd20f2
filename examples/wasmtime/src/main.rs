//! Serves keepsake's API from wasmtime, with memories in Redis:
//! `keepsake-wasmtime COMPONENT [--listen ADDRESS] [--redis ADDRESS] [--memory MEGABYTES] [--compile quickly|well]
//! [--cache FOLDER]`.
//!
//! Each request gets an instance of its own, as in `wasmtime serve` and Spin. Any number of these servers may stand before
//! one Redis: what keeps their writes apart is in the component.

mod draft;
mod draft2;
mod redis_bucket;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use redis_bucket::Redis;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpListener;
use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::error::Context;
use wasmtime::{
    Cache, CacheConfig, Config, Engine, OptLevel, Result, Store, StoreLimits, StoreLimitsBuilder, bail, format_err,
};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::p2::bindings::ProxyPre;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;
use wasmtime_wasi_http::p2::body::HyperOutgoingBody;
use wasmtime_wasi_http::{
    Error as HttpError, RequestOptions, WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks, WasiHttpView,
};

/// What a request's instance has of the host.
struct Host {
    redis: Redis,
    limits: StoreLimits,
    table: ResourceTable,
    wasi: WasiCtx,
    http: WasiHttpCtx,
    nowhere: Nowhere,
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for Host {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks: &mut self.nowhere }
    }
}

/// The component answers requests, and makes none.
struct Nowhere;

type Sent = (hyper::Response<WasiBody>, Box<dyn Future<Output = Result<(), HttpError>> + Send>);

impl WasiHttpHooks for Nowhere {
    fn send_request(
        &mut self,
        _: hyper::Request<WasiBody>,
        _: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), HttpError>> + Send>,
    ) -> Box<dyn Future<Output = Result<Sent, HttpError>> + Send> {
        Box::new(async { Err(HttpError::HttpRequestDenied) })
    }
}

/// What the command line says.
struct Options {
    component: String,
    listen: String,
    redis: String,
    memory: usize,
    /// How much time the compiler takes before the first request: little for tests, more for servers.
    optimise: OptLevel,
    /// Where compiled components are kept for the next start.
    cache: Option<PathBuf>,
}

impl Options {
    fn read() -> Result<Self> {
        let mut args = std::env::args().skip(1);
        let component = args.next().context("which component? keepsake-wasmtime COMPONENT [--listen ADDRESS] …")?;
        let (listen, redis) = ("127.0.0.1:8080".to_owned(), "redis://127.0.0.1:6379".to_owned());
        let mut options = Self { component, listen, redis, memory: 256, optimise: OptLevel::Speed, cache: None };
        while let Some(name) = args.next() {
            let value = args.next().with_context(|| format!("`{name}` needs a value"))?;
            match name.as_str() {
                "--listen" => options.listen = value,
                "--redis" => options.redis = value,
                "--memory" => {
                    options.memory = value.parse::<usize>().context("`--memory` must be a number of megabytes")?
                }
                "--compile" if value == "quickly" => options.optimise = OptLevel::None,
                "--compile" if value == "well" => options.optimise = OptLevel::Speed,
                "--compile" => bail!("`--compile` must be `quickly` or `well`"),
                "--cache" => options.cache = Some(std::path::absolute(value)?),
                _ => bail!("`{name}` is not known"),
            }
        }
        Ok(options)
    }
}

struct Server {
    pre: ProxyPre<Host>,
    redis: Redis,
    memory: usize,
}

impl Server {
    async fn answer(&self, request: hyper::Request<Incoming>) -> Result<hyper::Response<HyperOutgoingBody>> {
        let host = Host {
            redis: self.redis.clone(),
            limits: StoreLimitsBuilder::new().memory_size(self.memory).build(),
            table: ResourceTable::new(),
            wasi: WasiCtx::builder().inherit_stderr().build(),
            http: WasiHttpCtx::new(),
            nowhere: Nowhere,
        };
        let mut store = Store::new(self.pre.engine(), host);
        store.limiter(|host| &mut host.limits);
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let request = store.data_mut().http().new_incoming_request(Scheme::Http, request)?;
        let out = store.data_mut().http().new_response_outparam(sender)?;
        let pre = self.pre.clone();
        // A task of its own: the component goes on after its answer, to compress what was said.
        let task = tokio::spawn(async move {
            let proxy = pre.instantiate_async(&mut store).await?;
            proxy.wasi_http_incoming_handler().call_handle(store, request, out).await
        });
        match receiver.await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(format_err!("{error:?}")),
            Err(_) => {
                // It has stopped without an answer: out of memory, or out of luck. Nothing is half written.
                eprintln!("the component stopped: {:?}", task.await);
                Ok(failed())
            }
        }
    }
}

fn failed() -> hyper::Response<HyperOutgoingBody> {
    use http_body_util::{BodyExt, Full};
    let body = r#"{"error":{"code":"crashed","message":"the service failed"}}"#;
    let body = Full::new(body.as_bytes().into()).map_err(|never| match never {}).boxed_unsync();
    let mut response = hyper::Response::new(body);
    *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
    let json = hyper::header::HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(hyper::header::CONTENT_TYPE, json);
    response
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::read()?;
    let mut config = Config::new();
    config.cranelift_opt_level(options.optimise);
    if let Some(folder) = &options.cache {
        let mut kept = CacheConfig::new();
        kept.with_directory(folder);
        config.cache(Some(Cache::new(kept).context("the folder of `--cache` cannot be used")?));
    }
    let engine = Engine::new(&config)?;
    let component = Component::from_file(&engine, &options.component)?;
    let mut linker = Linker::new(&engine);
    wasmtime_wasi_http::p2::add_to_linker_async(&mut linker)?;
    draft::add_to_linker(&mut linker)?;
    draft2::add_to_linker(&mut linker)?;
    let pre = ProxyPre::new(linker.instantiate_pre(&component)?)?;
    let redis = Redis::connect(&options.redis).await?;
    let server = Arc::new(Server { pre, redis, memory: options.memory << 20 });
    let listener = TcpListener::bind(&options.listen).await?;
    println!("listening on http://{}", listener.local_addr()?);
    loop {
        let (client, _) = listener.accept().await?;
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let server = Arc::clone(&server);
                async move { server.answer(request).await }
            });
            // Who hangs up is no news.
            drop(http1::Builder::new().serve_connection(TokioIo::new(client), service).await);
        });
    }
}
