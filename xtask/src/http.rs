//! A web server for one folder on 127.0.0.1: what `serve` and the browser suites need, no more.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};

/// A running server. It lives as long as the process.
#[derive(Debug)]
pub(crate) struct Server {
    /// Where the site is, with a slash at the end.
    pub(crate) address: String,
}

impl Server {
    /// Serves `folder` below `/<prefix>`; `prefix` is empty or ends with a slash. Port 0 takes any free one.
    pub(crate) fn start(folder: PathBuf, prefix: &str, port: u16) -> Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("port {port} is taken: choose another one with --port"))?;
        let address = format!("http://{}/{prefix}", listener.local_addr()?);
        let site = Arc::new(Site { folder, prefix: format!("/{prefix}") });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let site = Arc::clone(&site);
                // A browser that goes away in the middle of an answer is not our failure.
                std::thread::spawn(move || answer(&site, &stream).ok());
            }
        });
        Ok(Server { address })
    }
}

#[derive(Debug)]
struct Site {
    folder: PathBuf,
    prefix: String,
}

fn answer(site: &Site, stream: &TcpStream) -> Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    if method != "GET" && method != "HEAD" {
        return send(stream, "405 Method Not Allowed", "text/plain", b"only GET and HEAD", true);
    }
    let file = path_in_site(target, &site.prefix).map(|path| site.folder.join(path));
    match file.and_then(|file| Some((std::fs::read(&file).ok()?, mime(&file)))) {
        Some((bytes, mime)) => send(stream, "200 OK", mime, &bytes, method == "GET"),
        None => send(stream, "404 Not Found", "text/plain", b"no such file", method == "GET"),
    }
}

fn send(mut stream: &TcpStream, status: &str, mime: &str, body: &[u8], with_body: bool) -> Result<()> {
    // Nothing may be kept: a rebuilt file has the name of the old one.
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if with_body {
        stream.write_all(body)?;
    }
    Ok(stream.flush()?)
}

/// The file that a request target names, relative to the site; `None` for one outside of it.
fn path_in_site(target: &str, prefix: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let path = percent_decoded(path.strip_prefix(prefix)?)?;
    let name = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path };
    let file = PathBuf::from(name);
    let is_inside = file.components().all(|component| matches!(component, Component::Normal(_)));
    is_inside.then_some(file)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn path(target: &str, prefix: &str) -> Option<String> {
        path_in_site(target, prefix).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn a_folder_is_its_index_and_queries_are_no_part_of_a_name() {
        assert_eq!(path("/", "/").as_deref(), Some("index.html"));
        assert_eq!(path("/lessons/index.json?x=1", "/").as_deref(), Some("lessons/index.json"));
        assert_eq!(path("/a%20b.txt", "/").as_deref(), Some("a b.txt"));
        assert_eq!(path("/sub/page.js", "/sub/").as_deref(), Some("page.js"));
    }

    #[test]
    fn nothing_outside_the_site_is_named() {
        for target in ["/../secret", "/%2e%2e/secret", "/a/../../secret", "//etc/passwd", "/a%00b", "/%zz", "secret"] {
            assert_eq!(path(target, "/"), None, "{target}");
        }
        assert_eq!(path("/page.js", "/sub/"), None);
    }

    #[test]
    fn a_file_arrives_whole_with_its_type_and_length() {
        let folder = std::env::temp_dir().join(format!("xtask-http-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("x.wasm"), b"\0asm").unwrap();
        let server = Server::start(folder.clone(), "sub/", 0).unwrap();
        let host = server.address.strip_prefix("http://").unwrap().strip_suffix("/sub/").unwrap();
        let get = |target: &str| {
            let mut stream = TcpStream::connect(host).unwrap();
            write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let found = get("/sub/x.wasm");
        assert!(found.starts_with("HTTP/1.1 200") && found.ends_with("\r\n\r\n\0asm"), "{found}");
        assert!(found.contains("application/wasm") && found.contains("Content-Length: 4\r\n"), "{found}");
        assert!(get("/x.wasm").starts_with("HTTP/1.1 404"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
