//! Starts the page in the browser's document.

fn main() {
    web::run();
}
