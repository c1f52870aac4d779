use crate::effect::Effect;
use crate::fixtures::{opened, trace};
use crate::model::{Model, Player};
use crate::msg::{Msg, PlayMsg};
use crate::update::update;
use trace::{Granularity, Phase};

fn play(model: &mut Model, msg: PlayMsg) -> Vec<Effect> {
    update(model, Msg::Play(msg))
}

fn player(model: &Model) -> &Player {
    model.desk().unwrap().player.as_ref().unwrap()
}

#[test]
fn a_scene_is_the_same_forward_backward_and_by_jump() {
    for granularity in [Granularity::Phase, Granularity::File, Granularity::Pair] {
        let mut model = opened();
        play(&mut model, PlayMsg::Granularity(granularity));
        let last = player(&model).last();
        let mut forward = vec![(*player(&model).scenes[0]).clone()];
        for _ in 0..last {
            play(&mut model, PlayMsg::Forward);
            forward.push((*player(&model).scenes[0]).clone());
        }
        assert!(forward.last().unwrap().committed);
        for at in (0..last).rev() {
            play(&mut model, PlayMsg::Back);
            assert_eq!(*player(&model).scenes[0], forward[at]);
        }
        play(&mut model, PlayMsg::Seek(last / 2));
        assert_eq!(*player(&model).scenes[0], forward[last / 2]);
    }
}

#[test]
fn the_ends_hold() {
    let mut model = opened();
    play(&mut model, PlayMsg::Back);
    assert_eq!(player(&model).at, 0);
    play(&mut model, PlayMsg::End);
    let last = player(&model).last();
    play(&mut model, PlayMsg::Forward);
    play(&mut model, PlayMsg::Seek(9_999));
    assert_eq!(player(&model).at, last);
    assert_eq!(player(&model).steps(0), trace().steps.len());
    play(&mut model, PlayMsg::Start);
    assert_eq!(player(&model).at, 0);
}

#[test]
fn with_the_shift_key_a_step_is_a_phase() {
    let mut model = opened();
    play(&mut model, PlayMsg::Granularity(Granularity::Pair));
    let mut phases = Vec::new();
    while player(&model).at < player(&model).last() {
        play(&mut model, PlayMsg::NextPhase);
        phases.push(player(&model).frame().unwrap().phase.unwrap());
    }
    let all = [Phase::Source, Phase::Prune, Phase::Join, Phase::Classify, Phase::Write, Phase::Commit];
    assert_eq!(phases, all);
    let mut back = Vec::new();
    while player(&model).at > 0 {
        play(&mut model, PlayMsg::PreviousPhase);
        back.push(player(&model).frame().unwrap().phase);
    }
    let expected: Vec<_> = all[..5].iter().rev().copied().map(Some).chain([None]).collect();
    assert_eq!(back, expected);
}

#[test]
fn cutting_the_timeline_finer_keeps_the_place() {
    let mut model = opened();
    play(&mut model, PlayMsg::Forward);
    play(&mut model, PlayMsg::Forward);
    let steps = player(&model).steps(0);
    for granularity in [Granularity::Pair, Granularity::File, Granularity::Phase] {
        play(&mut model, PlayMsg::Granularity(granularity));
        assert_eq!(player(&model).steps(0), steps, "{granularity:?}");
    }
}

fn alarm(effects: &[Effect]) -> Option<(u32, Msg)> {
    effects.iter().find_map(|effect| match effect {
        Effect::After { milliseconds, msg } => Some((*milliseconds, (**msg).clone())),
        _ => None,
    })
}

#[test]
fn play_goes_on_by_alarms_and_stops_at_the_end() {
    let mut model = opened();
    let mut next = alarm(&play(&mut model, PlayMsg::Toggle));
    let mut n_alarms = 0;
    while let Some((_, msg)) = next {
        n_alarms += 1;
        next = alarm(&update(&mut model, msg));
    }
    assert_eq!(n_alarms, player(&model).last());
    assert!(!player(&model).playing);
    play(&mut model, PlayMsg::Toggle);
    assert_eq!(player(&model).at, 0, "play at the end starts over");
}

#[test]
fn a_hand_on_the_timeline_stops_the_play_and_its_alarms() {
    let mut model = opened();
    let (_, old) = alarm(&play(&mut model, PlayMsg::Toggle)).unwrap();
    play(&mut model, PlayMsg::Forward);
    assert!(!player(&model).playing);
    assert_eq!(update(&mut model, old.clone()), []);
    play(&mut model, PlayMsg::Toggle);
    let at = player(&model).at;
    assert_eq!(update(&mut model, old), [], "the alarm of an earlier play");
    assert_eq!(player(&model).at, at);
}

#[test]
fn a_higher_speed_waits_less() {
    let mut waits = Vec::new();
    for speed in 1..=3 {
        let mut model = opened();
        play(&mut model, PlayMsg::Speed(speed));
        waits.push(alarm(&play(&mut model, PlayMsg::Toggle)).unwrap().0);
    }
    assert!(waits.is_sorted_by(|a, b| a > b), "{waits:?}");
}
