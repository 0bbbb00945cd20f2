//! An agent on the command line: `keepsake-native-agent FILE` reads a line, lets a model call the tools of the memory until
//! it has an answer, and prints that. The file remembers the conversation and what the model has noted down.

mod agent;
mod model;

use agent::Agent;
use futures::executor::block_on;
use model::{Endpoint, Model, Scripted};
use std::error::Error;
use std::io::BufRead;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("missing argument: the FILE of the memory")?;
    let model: Box<dyn Model> = match std::env::var("OPENAI_BASE_URL") {
        Ok(url) => Box::new(Endpoint::new(url, std::env::var("OPENAI_MODEL")?, std::env::var("OPENAI_API_KEY").ok())),
        Err(_) => Box::new(Scripted),
    };
    block_on(async {
        let agent = Agent::open(&file, model).await?;
        for line in std::io::stdin().lock().lines() {
            println!("{}", agent.answer(&line?).await?);
        }
        agent.close().await
    })
}
