//! HTTP with JSON to a driver on this machine: one request per connection, no more than WebDriver needs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

/// Longer than anything takes that is asked of a browser, a setup of a million rows included.
const PATIENCE: Duration = Duration::from_secs(600);

/// Sends a request and gives status and body.
///
/// # Errors
/// The host cannot be reached or gives no JSON.
pub fn send(host: &str, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value)> {
    let what = || format!("{method} {path}");
    let mut stream = TcpStream::connect(host).with_context(what)?;
    stream.set_read_timeout(Some(PATIENCE)).with_context(what)?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).with_context(what)?;
    let answer = read_answer(&mut stream).with_context(what)?;
    parse(&answer).with_context(|| format!("{method} {path}: no JSON in {}", String::from_utf8_lossy(&answer)))
}

/// Reads head and as many bytes as it announces: a driver may keep the connection open all the same.
fn read_answer(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    let mut chunk = [0; 64 * 1024];
    loop {
        let n_bytes = stream.read(&mut chunk)?;
        answer.extend_from_slice(&chunk[..n_bytes]);
        if n_bytes == 0 || is_whole(&answer) {
            return Ok(answer);
        }
    }
}

fn is_whole(answer: &[u8]) -> bool {
    let Some((head, body)) = split(answer) else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    length.is_some_and(|length| body.len() >= length)
}

fn parse(answer: &[u8]) -> Option<(u16, Value)> {
    let (head, body) = split(answer)?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_slice(body).ok()?))
}

fn split(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    Some((std::str::from_utf8(&answer[..end]).ok()?, &answer[end + 4..]))
}
