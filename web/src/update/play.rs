//! The timeline.

use crate::effect::Effect;
use crate::frames::{frame_at, phase_stop};
use crate::model::{Desk, Model, Player};
use crate::msg::{Msg, PlayMsg};
use trace::Granularity;

pub(super) fn update(model: &mut Model, msg: PlayMsg) -> Vec<Effect> {
    let Some(player) = model.desk_mut().and_then(|desk: &mut Desk| desk.player.as_mut()) else { return Vec::new() };
    let mut said = None;
    let effects = control(player, msg, &mut said);
    if let Some(said) = said {
        model.status = said;
    }
    effects
}

fn control(player: &mut Player, msg: PlayMsg, said: &mut Option<String>) -> Vec<Effect> {
    match msg {
        PlayMsg::Forward => go(player, player.at + 1),
        PlayMsg::Back => go(player, player.at.saturating_sub(1)),
        PlayMsg::NextPhase => go(player, phase_stop(&player.frames, player.at, true)),
        PlayMsg::PreviousPhase => go(player, phase_stop(&player.frames, player.at, false)),
        PlayMsg::Start => go(player, 0),
        PlayMsg::End => go(player, player.last()),
        PlayMsg::Seek(at) => go(player, at),
        PlayMsg::Step(steps) => {
            player.cut(Granularity::Pair);
            go(player, frame_at(&player.frames, steps))
        }
        PlayMsg::Toggle => toggle(player),
        PlayMsg::Tick(play) => tick(player, play, said),
        PlayMsg::Speed(speed) => {
            player.speed = speed.clamp(1, 3);
            Vec::new()
        }
        PlayMsg::Granularity(granularity) => {
            player.playing = false;
            player.cut(granularity);
            Vec::new()
        }
        PlayMsg::Break(breaks) => {
            player.break_at(breaks);
            Vec::new()
        }
        PlayMsg::NextBreak => {
            player.playing = false;
            let end = player.frames.last().and_then(|frame| frame.steps.first()).copied().unwrap_or_default();
            if !stopped(player, end, said) {
                *said = Some("There is no stop ahead.".to_string());
            }
            Vec::new()
        }
        PlayMsg::AskStep => vec![Effect::Focus("go-to-step")],
    }
}

/// A hand on the timeline stops the play.
fn go(player: &mut Player, at: usize) -> Vec<Effect> {
    player.playing = false;
    player.seek(at);
    Vec::new()
}

fn toggle(player: &mut Player) -> Vec<Effect> {
    player.playing = !player.playing;
    if !player.playing {
        return Vec::new();
    }
    if player.at == player.last() {
        player.seek(0);
    }
    player.play += 1;
    vec![alarm(player)]
}

fn tick(player: &mut Player, play: u32, said: &mut Option<String>) -> Vec<Effect> {
    if !player.playing || player.play != play {
        return Vec::new();
    }
    let next = player.frames.get(player.at + 1).and_then(|frame| frame.steps.first()).copied();
    if stopped(player, next.unwrap_or_default(), said) {
        return Vec::new();
    }
    player.seek(player.at + 1);
    player.playing = player.at < player.last();
    if player.playing { vec![alarm(player)] } else { Vec::new() }
}

/// Stops at the first stop up to a position, if there is one, and says why.
fn stopped(player: &mut Player, to: usize, said: &mut Option<String>) -> bool {
    let Some(position) = player.next_stop(to) else { return false };
    player.playing = false;
    player.stop_at(position);
    *said = player.traces.first().map(|trace| player.breaks.reason(trace, &player.nulls, position));
    true
}

fn alarm(player: &Player) -> Effect {
    let milliseconds = match player.speed {
        1 => 1600,
        2 => 800,
        _ => 350,
    };
    Effect::After { milliseconds, msg: Box::new(Msg::Play(PlayMsg::Tick(player.play))) }
}
