use super::{LONG, Link, base64, decode, deflate, encode, inflate};
use crate::model::Step;
use miniz_oxide::deflate::compress_to_vec;

/// Name, link and what it carries as JSON, one per line: links that are out there.
const GOLDEN: &str = include_str!("golden.txt");

fn told(link: &Link) -> String {
    let steps: Vec<(&str, &str)> = link.steps.iter().map(|step| (step.kind.as_str(), step.text.as_str())).collect();
    serde_json::json!({
        "place": link.place, "lesson": link.lesson, "sheet": link.sheet, "code": link.code, "steps": steps,
        "engine": link.engine, "step": link.step,
    })
    .to_string()
}

#[test]
fn every_golden_link_is_read_as_ever() {
    let lines: Vec<&str> = GOLDEN.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(lines.len() >= 20, "{}", lines.len());
    for line in lines {
        let parts: Vec<&str> = line.splitn(3, '\t').collect();
        let [name, link, expected] = parts.as_slice() else { panic!("three parts: {line}") };
        let expected: serde_json::Value = serde_json::from_str(expected).unwrap();
        let found: serde_json::Value = match decode(link) {
            Ok(link) => serde_json::from_str(&told(&link)).unwrap(),
            Err(sentence) => serde_json::json!({ "error": sentence }),
        };
        assert_eq!(found, expected, "{name}");
    }
}

fn whole() -> Link {
    Link {
        place: "first-upsert".into(),
        lesson: "00ff".into(),
        sheet: "exercise-a".into(),
        code: "MERGE INTO t USING s ON t.k = s.k\nWHEN MATCHED THEN UPDATE SET * -- é😀\"\\".into(),
        steps: vec![Step { kind: "CREATE TABLE".into(), text: "CREATE TABLE t (k INT)".into(), file: String::new() }],
        engine: "dev".into(),
        step: Some(7),
    }
}

#[test]
fn a_link_is_read_as_it_was_made() {
    for link in [whole(), Link::default(), Link { step: Some(0), code: "x".repeat(50_000), ..whole() }] {
        let fragment = encode(&link);
        assert_eq!(decode(&fragment), Ok(link));
        assert!(fragment.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{fragment}");
    }
    assert!(encode(&whole()).len() < LONG / 20);
}

#[test]
fn a_changed_or_cut_link_is_a_sentence_and_no_panic() {
    let link = encode(&whole());
    for cut in 0..link.len() {
        assert!(decode(&link[..cut]).is_err(), "{cut}");
    }
    for idx in 0..link.len() {
        let mut bytes = link.clone().into_bytes();
        bytes[idx] = if bytes[idx] == b'A' { b'B' } else { b'A' };
        // A change may go unseen in the text; it must not do harm.
        let _ = decode(std::str::from_utf8(&bytes).unwrap());
    }
    for text in ["", "1", "1%", "1 ", "1é", "9abc", "1AAAA", "1////", "x"] {
        assert!(decode(text).unwrap_err().ends_with('.'), "{text}");
    }
}

fn packed(json: &[u8]) -> String {
    format!("1{}", base64::encode(&compress_to_vec(json, 9)))
}

#[test]
fn a_hostile_link_is_refused_before_it_costs_anything() {
    let bomb = packed(&vec![b' '; 60_000_000]);
    assert!(bomb.len() < 200_000, "it is small on the outside");
    assert!(decode(&bomb).unwrap_err().contains("larger than a link may hold"));
    assert!(decode(&format!("1{}", "A".repeat(300_000))).unwrap_err().contains("longer than any"));
    let deep = format!("{{\"x\":{},\"c\":\"\"}}", "[".repeat(200_000));
    assert!(decode(&packed(deep.as_bytes())).is_err(), "nesting would overflow the stack");
    let steps = format!("{{\"c\":\"\",\"d\":[{}]}}", vec![r#"["",""]"#; 2_000].join(","));
    assert!(decode(&packed(steps.as_bytes())).is_err(), "more steps than anyone takes");
    for json in
        [&b"\xff\xfe"[..], b"null", b"[]", b"{}", br#"{"c":1}"#, br#"{"c":"","p":"../x"}"#, br#"{"c":"","i":-1}"#]
    {
        assert!(decode(&packed(json)).is_err(), "{}", String::from_utf8_lossy(json));
    }
}

#[test]
fn unknown_members_are_left_alone() {
    let link = decode(&packed(br#"{"new":{"a":[1,2]},"c":"SELECT 1"}"#)).unwrap();
    assert_eq!(link, Link { code: "SELECT 1".into(), ..Link::default() });
}

#[test]
fn base64_goes_both_ways_at_every_length() {
    for length in 0..70_u8 {
        let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(37)).collect();
        assert_eq!(base64::decode(&base64::encode(&bytes)).as_deref(), Some(bytes.as_slice()));
    }
    assert_eq!(base64::decode("+/=="), None);
}

/// Texts of every kind: nothing, one byte, repeats, noise, code.
fn samples() -> Vec<Vec<u8>> {
    let noise = |n: u64| (0..n).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect::<Vec<u8>>();
    let mut samples = vec![vec![], b"a".to_vec(), vec![7; 100_000], noise(5_000), GOLDEN.as_bytes().to_vec()];
    samples.push(GOLDEN.as_bytes().iter().copied().chain(noise(40_000)).chain(GOLDEN.bytes()).collect());
    samples.extend((1..300).map(|n| noise(n).into_iter().cycle().take(2 * n as usize + 5).collect()));
    samples
}

#[test]
fn others_read_what_we_pack_and_we_read_what_others_pack() {
    for sample in samples() {
        let packed = deflate::deflate(&sample);
        assert_eq!(miniz_oxide::inflate::decompress_to_vec(&packed).ok().as_ref(), Some(&sample));
        assert_eq!(inflate::inflate(&packed, sample.len()).as_ref(), Some(&sample));
        for level in [0, 1, 6, 9] {
            assert_eq!(inflate::inflate(&compress_to_vec(&sample, level), sample.len()).as_ref(), Some(&sample));
        }
        if !sample.is_empty() {
            assert_eq!(inflate::inflate(&packed, sample.len() - 1), None, "one byte too many");
        }
    }
    let ours = deflate::deflate(GOLDEN.as_bytes()).len();
    assert!(ours * 10 < compress_to_vec(GOLDEN.as_bytes(), 9).len() * 13, "{ours}");
}
