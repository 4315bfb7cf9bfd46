//! Asks the Rust library of Standard Webhooks whether a delivery is genuine: {"secret": …, "headers": {…}, "body": …} on standard input.
//! Exit code 0: it is; 3: it is refused.
use std::error::Error;
use std::process::ExitCode;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use standardwebhooks::Webhook;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let delivery: Value = serde_json::from_reader(std::io::stdin())?;
    let mut headers = HeaderMap::new();
    for (name, value) in delivery["headers"].as_object().ok_or("no headers")? {
        headers.insert(name.parse::<HeaderName>()?, HeaderValue::from_str(value.as_str().ok_or("no text")?)?);
    }
    let webhook = Webhook::new(delivery["secret"].as_str().ok_or("no secret")?)?;
    match webhook.verify(delivery["body"].as_str().ok_or("no body")?.as_bytes(), &headers) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(refused) => {
            println!("{refused}");
            Ok(ExitCode::from(3))
        }
    }
}
