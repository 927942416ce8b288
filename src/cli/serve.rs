//! `fracas serve`: plays a conflict with a program, by lines of JSON on stdin and stdout or of a connection.

use std::io::{BufWriter, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::stdin_lines::{Lines, PATIENCE, StdinLine, flag};
use crate::catalog::Catalog;
use crate::commands::ScenarioArguments;
use crate::conflict::Changes;
use crate::error::Error;
use crate::serve::{Goes, Server};

#[derive(Args, Debug)]
pub(super) struct ServeCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Listen for connections of this machine instead, as at 127.0.0.1:7000; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", value_parser = loopback)]
    listen: Option<SocketAddr>,
}

/// The most connections that are served at once.
const CONNECTIONS: usize = 64;

/// What each connection is served by.
struct Service<'a> {
    common: &'a CommonArguments,
    catalog: Catalog,
    scenario: &'a str,
    changes: Changes,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &ServeCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let service = Service {
        common,
        catalog: common.catalog()?,
        scenario: &arguments.scenario.named.scenario,
        changes: arguments.scenario.changes()?,
    };
    let mut server = service.server()?;
    output.warnings(server.conflict());
    match arguments.listen {
        Some(address) => service.listen(address)?,
        None => {
            talk(&mut server, Lines::new(flag()), &mut BufWriter::new(std::io::stdout().lock()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Service<'_> {
    fn server(&self) -> Result<Server<'_>, Error> {
        let limits = self.common.limits();
        let how = (self.common.chance.seed.unwrap_or_default(), self.common.threads());
        Server::new(&self.catalog, self.scenario, self.changes.clone(), limits, how)
    }

    /// Serves connections until somebody interrupts, each with games of its own.
    fn listen(&self, address: SocketAddr) -> Result<(), Error> {
        let failed = |error| Error::file("listen at", address.to_string(), error);
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let at = listener.local_addr().map_err(failed)?;
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "{{\"listening\":\"{at}\"}}")
            .and_then(|()| stdout.flush())
            .map_err(|error| Error::file("write", "stdout", error))?;
        let open = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            while !flag().load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        let before = open.fetch_add(1, Ordering::Relaxed);
                        let open = &open;
                        scope.spawn(move || {
                            // A client that is gone needs no error.
                            let _ = self.connection(stream, before < CONNECTIONS);
                            open.fetch_sub(1, Ordering::Relaxed);
                        });
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        std::thread::sleep(PATIENCE);
                    }
                    // The client went away, or there are too many: others may come.
                    Err(_) => std::thread::sleep(PATIENCE),
                }
            }
            Err(Error::Interrupted)
        })
    }

    fn connection(&self, stream: TcpStream, has_room: bool) -> Result<(), Error> {
        let lost = |error| Error::file("read", "the connection", error);
        stream.set_nonblocking(false).map_err(lost)?;
        stream.set_nodelay(true).map_err(lost)?;
        let mut to = BufWriter::new(stream.try_clone().map_err(lost)?);
        let full = || Error::usage(format!("{CONNECTIONS} connections are served at most"));
        let server = if has_room { self.server() } else { Err(full()) };
        match server {
            Ok(mut server) => {
                let from = stream.try_clone().map_err(lost)?;
                talk(&mut server, Lines::of("the connection", from, flag()), &mut to)?;
            }
            Err(error) => Server::refuse(error, &mut to).map_err(lost)?,
        }
        // The thread that reads waits for it.
        stream.shutdown(std::net::Shutdown::Both).map_err(lost)
    }
}

/// Answers lines until there are no more, or the client closes.
fn talk(server: &mut Server<'_>, mut lines: Lines, to: &mut impl Write) -> Result<(), Error> {
    loop {
        let written = match lines.next() {
            Ok(None) => return Ok(()),
            Ok(Some(StdinLine::Text(line))) if line.trim().is_empty() => continue,
            Ok(Some(StdinLine::Text(line))) => server.line(&line, to),
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Ok(Some(StdinLine::NoText(error))) | Err(error) => {
                Server::refuse(error, to).map(|()| Goes::On)
            }
        };
        match written {
            Ok(Goes::On) => {}
            Ok(Goes::Closed) => return Ok(()),
            // Whoever read has had enough; so have we.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(Error::file("write", "a reply", error)),
        }
    }
}

/// An address of this machine: nobody else can reach it.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: Option<SocketAddr> = text.parse().ok();
    address.filter(|address| address.ip().is_loopback()).ok_or_else(|| {
        "must be an address of this machine and a port, as in 127.0.0.1:7000".to_owned()
    })
}
