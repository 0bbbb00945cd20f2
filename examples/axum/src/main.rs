//! A server whose users have a memory each, all in one file: `keepsake-axum FILE [ADDRESS]`.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use keepsake::{CallError, Error, ErrorCode, FileStore, LongTerm, Memory, MemoryThread, SharedMemory};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::Mutex;

type Shared = SharedMemory<FileStore>;
type Answer = Result<Json<Value>, (StatusCode, String)>;

struct Memories {
    thread: MemoryThread,
    store: FileStore,
    open: Mutex<BTreeMap<String, Shared>>,
}

/// The memory of a user, opened with the first request. Here the user is a part of the path, so that the example is short;
/// in your server it comes from the session or the token.
async fn memory_of(memories: &Memories, user: String) -> Result<Shared, CallError> {
    let mut open = memories.open.lock().await;
    if let Some(memory) = open.get(&user) {
        return Ok(memory.clone());
    }
    let (store, id) = (memories.store.connect().map_err(Error::from)?, user.clone());
    let memory = memories.thread.open(|| Memory::open(store, id)).await?;
    open.insert(user, memory.clone());
    Ok(memory)
}

async fn add(State(memories): State<Arc<Memories>>, Path(user): Path<String>, Json(body): Json<Value>) -> Answer {
    let content = body["content"].as_str().unwrap_or_default().to_owned();
    let memory = memory_of(&memories, user).await.map_err(refused)?;
    let entry = memory.try_run(|memory| memory.add(content).namespace(LongTerm)).await.map_err(refused)?;
    Ok(Json(json!({ "id": entry.id.as_str() })))
}

type Words = Query<BTreeMap<String, String>>;

async fn search(State(memories): State<Arc<Memories>>, Path(user): Path<String>, Query(mut words): Words) -> Answer {
    let query = words.remove("q").unwrap_or_default();
    let memory = memory_of(&memories, user).await.map_err(refused)?;
    let hits = memory.try_run(|memory| memory.search(query).limit(5)).await.map_err(refused)?;
    Ok(Json(hits.iter().map(|hit| json!({ "id": hit.id.as_str(), "text": hit.summary, "score": hit.score })).collect()))
}

fn refused(error: CallError) -> (StatusCode, String) {
    let status = match &error {
        CallError::Memory(error) => match error.code() {
            ErrorCode::InvalidInput | ErrorCode::TooLarge => StatusCode::BAD_REQUEST,
            ErrorCode::QuotaExceeded => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, error.to_string())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("missing argument: the FILE of the memories")?;
    let store = FileStore::open(file).map_err(|error| error.to_string())?;
    let memories = Arc::new(Memories { thread: MemoryThread::start()?, store, open: Mutex::default() });
    let routes = Router::new().route("/{user}/entries", post(add)).route("/{user}/search", get(search));
    let listener = tokio::net::TcpListener::bind(args.next().as_deref().unwrap_or("127.0.0.1:8080")).await?;
    println!("listening on http://{}", listener.local_addr()?);
    // A call that has been answered is on the disk, so the server may end at any time.
    Ok(axum::serve(listener, routes.with_state(memories)).await?)
}
