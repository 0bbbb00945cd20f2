//! The example as a user runs it: the commands of its README, overlapping requests, a restart, and bad requests.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_keepsake-axum");

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("axum-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A server on a free port. It is killed in the end.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(file: &Path) -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg(file).arg("127.0.0.1:0").stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().parse().unwrap();
        Self { process, address }
    }

    fn request(&self, head: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = body.len();
        let rest = format!(
            "host: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}"
        );
        stream.write_all(format!("{head} HTTP/1.1\r\n{rest}\r\n\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or_else(|_| json!(body)))
    }

    fn add(&self, user: &str, content: &str) -> (u16, Value) {
        self.request(&format!("POST /{user}/entries"), &json!({ "content": content }).to_string())
    }

    fn search(&self, user: &str, query: &str) -> Vec<String> {
        let (status, hits) = self.request(&format!("GET /{user}/search?q={query}"), "");
        assert_eq!(status, 200, "{hits}");
        hits.as_array().unwrap().iter().map(|hit| hit["text"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    let readme = include_str!("../README.md");
    let blocks: Vec<&str> = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let [start, requests] = blocks[..] else { panic!("{blocks:?}") };
    assert_eq!(start, "cargo run -q -p keepsake-axum -- memory.redb 127.0.0.1:8080\n");
    let folder = folder("readme");
    let server = Server::start(&folder.join("memory.redb"));
    let requests = requests.replace("localhost:8080", &server.address.to_string());
    let output = Command::new("sh").args(["-e", "-c", &requests]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("\"text\":\"Deploy keys rotate on Mondays\""), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn users_are_apart_requests_overlap_and_a_killed_server_loses_nothing() {
    let folder = folder("users");
    let file = folder.join("memory.redb");
    let server = Server::start(&file);
    std::thread::scope(|scope| {
        for at in 0..16 {
            let server = &server;
            scope.spawn(move || {
                for number in 0..5 {
                    let (status, answer) = server.add(&format!("u-{}", at % 4), &format!("Thread{at} note{number}"));
                    assert_eq!(status, 200, "{answer}");
                }
            });
        }
    });
    // It is killed, and another one goes on with its file.
    drop(server);
    let server = Server::start(&file);
    for at in 0..16 {
        let found = server.search(&format!("u-{}", at % 4), &format!("Thread{at}"));
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!(server.search(&format!("u-{}", (at + 1) % 4), &format!("Thread{at}")), Vec::<String>::new());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn bad_requests_are_refused_with_the_reason() {
    let folder = folder("bad");
    let server = Server::start(&folder.join("memory.redb"));
    let (status, answer) = server.add("u-1", "");
    assert_eq!((status, answer.as_str().unwrap().contains("content")), (400, true), "{answer}");
    let (status, _) = server.request("POST /u-1/entries", "not JSON");
    assert_eq!(status, 400);
    let (status, answer) = server.add(&"u".repeat(2_000), "a note");
    assert_eq!((status, answer.as_str().unwrap().contains("user")), (400, true), "{answer}");
    let second = Command::new(PROGRAM).arg(folder.join("memory.redb")).arg("127.0.0.1:0").output().unwrap();
    assert!(!second.status.success());
    assert!(String::from_utf8_lossy(&second.stderr).contains("one process at a time"), "{second:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
