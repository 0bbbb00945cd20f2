//! The page of docs/rust.md.

use keepsake::{Error, IndexedDb, LongTerm, Memory};

async fn remember() -> Result<String, Error> {
    let memory = Memory::open(IndexedDb::open("my-app").await?, "u-42").await?;
    let before = memory.count().await?;
    memory.add("Deploy keys rotate on Mondays").namespace(LongTerm).await?;
    let hits = memory.search("when do deploy keys change?").limit(5).await?;
    Ok(format!("{} ({before} from before)", hits[0].summary))
}

fn main() {
    wasm_bindgen_futures::spawn_local(async {
        let shown = remember().await.unwrap_or_else(|error| error.to_string());
        if let Some(body) = web_sys::window().and_then(|window| window.document()?.body()) {
            body.set_inner_text(&shown);
        }
    });
}
