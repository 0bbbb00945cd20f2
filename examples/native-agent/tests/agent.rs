//! The example as a user runs it: the commands of its README, several lines in one program, and a server of a model.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_keepsake-native-agent");

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("agent-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Runs the program on these lines of input.
fn run(command: &mut Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    let readme = include_str!("../README.md");
    let commands = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let built = commands.replace("cargo run -q -p keepsake-native-agent --", PROGRAM);
    assert_eq!(built.matches(PROGRAM).count(), 2, "{built}");
    let folder = folder("readme");
    let output = Command::new("sh").args(["-e", "-c", &built]).current_dir(&folder).output().unwrap();
    let said = succeeded(&output);
    assert!(said.lines().last().unwrap().contains("rotate on Mondays"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_conversation_goes_on_in_the_next_program() {
    let folder = folder("again");
    let file = folder.join("memory.redb");
    let said = succeeded(&run(
        Command::new(PROGRAM).arg(&file),
        "Remember that the cat is called Momo\nHow is the cat called?\n",
    ));
    assert!(said.lines().last().unwrap().contains("Momo"), "{said}");
    let said = succeeded(&run(Command::new(PROGRAM).arg(&file), "What about the cat?\n"));
    assert!(said.contains("Momo"), "{said}");
    let refused = run(Command::new(PROGRAM).arg(folder.join("no-such-folder/memory.redb")), "");
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no-such-folder"), "{refused:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A server of a model: it asks for a search, and then answers with what that has found.
#[test]
fn a_server_that_speaks_chat_completions_is_the_model() {
    let folder = folder("server");
    let file = folder.join("memory.redb");
    succeeded(&run(Command::new(PROGRAM).arg(&file), "Remember that the garage opens at nine\n"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for turn in 0..2 {
            let (mut stream, _) = listener.accept().unwrap();
            let (head, body) = request(&mut BufReader::new(&stream));
            assert!(head.starts_with("POST /v1/chat/completions "), "{head}");
            assert!(head.to_lowercase().contains("authorization: bearer key-1"), "{head}");
            let message = match turn {
                0 => {
                    let arguments = json!({ "query": "garage opens" }).to_string();
                    let function = json!({ "name": "memory_search", "arguments": arguments });
                    json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c-7", "type": "function", "function": function }] })
                }
                _ => {
                    json!({ "role": "assistant", "content": format!("Found: {}", body["messages"].as_array().unwrap().last().unwrap()["content"]) })
                }
            };
            let answer = json!({ "choices": [{ "message": message }] }).to_string();
            let length = answer.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all((head + &answer).as_bytes()).unwrap();
            asked.push(body);
        }
        asked
    });
    let mut program = Command::new(PROGRAM);
    program.arg(&file).env("OPENAI_BASE_URL", url).env("OPENAI_MODEL", "any").env("OPENAI_API_KEY", "key-1");
    let said = succeeded(&run(&mut program, "When can I fetch the car?\n"));
    assert!(said.starts_with("Found: ") && said.contains("opens at nine"), "{said}");
    let asked = server.join().unwrap();
    assert_eq!(asked[0]["model"], "any");
    let tools: Vec<&Value> =
        asked[0]["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["memory_add", "memory_search"]);
    let messages = asked[1]["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert_eq!(messages.last().unwrap()["tool_call_id"], "c-7");
    std::fs::remove_dir_all(folder).unwrap();
}

fn request(stream: &mut impl BufRead) -> (String, Value) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let length =
        head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap()];
    stream.read_exact(&mut body).unwrap();
    (head, serde_json::from_slice(&body).unwrap())
}
