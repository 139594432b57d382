"""Prototypes of intents and tags, by hand and one episode at a time."""

import math
from itertools import product

import pytest
import torch

from hf_fewshot.methods.joint_prototypes import JointPrototypes, slot_evidence
from hf_fewshot.methods.method import PADDING
from hf_fewshot.methods.prototypes import prototypes
from hf_fewshot.methods.sentences import ClassNames, Sentences, shown_tags

# Tags are O, B and I of one slot.
SUPPORT = Sentences(
    words=torch.tensor([[[[0.0, 0.0], [2.0, 0.0]], [[0.0, 2.0], [2.0, 2.0]]]]),
    lengths=torch.tensor([[2, 2]]),
    tags=torch.tensor([[[0, 1], [0, 2]]]),
    intents=torch.tensor([[0, 1]]),
)
# The last word is not there.
QUERY = Sentences(
    words=torch.tensor([[[[2.0, 0.0], [0.0, 1.0], [9.0, 9.0]]]]),
    lengths=torch.tensor([[2]]),
    tags=torch.tensor([[[1, 0, PADDING]]]),
    intents=torch.tensor([[0]]),
)


def random_episode(generator, n_support, n_query, n_words, n_intents, n_slots, dim=6):
    """Sentences of different lengths in which every intent and tag has support."""
    n_tags = 1 + 2 * n_slots
    parts = []
    for size in (n_support, n_query):
        lengths = torch.randint(1, n_words + 1, (size,), generator=generator)
        lengths[0] = n_words
        tags = torch.randint(n_tags, (size, n_words), generator=generator)
        tags.view(-1)[:n_tags] = torch.arange(n_tags)
        lengths[: -(-n_tags // n_words)] = n_words
        outside = torch.arange(n_words) >= lengths.unsqueeze(1)
        intents = torch.arange(size) % n_intents
        words = torch.randn(size, n_words, dim, generator=generator)
        parts.append((words, lengths, tags.masked_fill(outside, PADDING), intents))
    return parts, n_intents, n_tags


def batch(episodes):
    """Episodes of different sizes as one batch; what fills it up is far from zero on purpose."""
    joined = []
    for part in range(2):
        own = [parts[part] for parts, _, _ in episodes]
        size, n_words = (max(words.shape[i] for words, *_ in own) for i in range(2))
        words = torch.full((len(own), size, n_words, own[0][0].shape[-1]), 7.5)
        lengths = torch.zeros(len(own), size, dtype=torch.long)
        tags = torch.full((len(own), size, n_words), PADDING)
        intents = torch.full((len(own), size), PADDING)
        for i, (own_words, own_lengths, own_tags, own_intents) in enumerate(own):
            n, m = own_words.shape[:2]
            words[i, :n, :m], lengths[i, :n], tags[i, :n, :m], intents[i, :n] = (
                own_words,
                own_lengths,
                own_tags,
                own_intents,
            )
        joined.append(Sentences(words, lengths, tags, intents))
    return *joined, max(n for _, n, _ in episodes), max(n for _, _, n in episodes)


def alone(episode):
    return batch([episode])


@torch.no_grad()
def test_scores_are_divided_distances_to_the_means_of_words_and_sentences():
    scores = JointPrototypes(2, temperature=2.0)(SUPPORT, QUERY, 2, 3)
    # Prototypes: O (0, 1), B (2, 0), I (2, 2); the intents (1, 0) and (1, 2), the query (1, 0.5).
    torch.testing.assert_close(scores.tags[0, 0, :2], torch.tensor([[-2.5, 0, -2], [0, -2.5, -2.5]]))
    assert scores.intents[0, 0].tolist() == pytest.approx([-0.125, -1.125])


@torch.no_grad()
def test_scores_can_be_dot_products():
    scores = JointPrototypes(2, temperature=2.0, similarity="dot")(SUPPORT, QUERY, 2, 3)
    torch.testing.assert_close(scores.tags[0, 0, :2], torch.tensor([[0.0, 2, 2], [0.5, 0, 1]]))
    assert scores.intents[0, 0].tolist() == pytest.approx([0.5, 1.0])


@torch.no_grad()
def test_the_temperature_is_20_and_one_for_each_part():
    method = JointPrototypes(2)
    assert method.log_temperature.exp().tolist() == pytest.approx([20, 20])
    before = method(SUPPORT, QUERY, 2, 3)
    method.log_temperature.copy_(torch.tensor([10.0, 5.0]).log())
    after = method(SUPPORT, QUERY, 2, 3)
    torch.testing.assert_close(after.intents, 2 * before.intents)
    torch.testing.assert_close(after.tags, 4 * before.tags)


@torch.no_grad()
def test_names_have_their_share_of_the_prototypes():
    names = ClassNames(tags=torch.tensor([[[0.0, 1], [2, 2], [2, 2]]]), intents=torch.tensor([[[1.0, 4], [1, 2]]]))
    scores = JointPrototypes(2, temperature=1.0, name_weight=0.5)(SUPPORT, QUERY, 2, 3, names)
    # B moves from (2, 0) to (2, 1), the first intent from (1, 0) to (1, 2).
    assert scores.tags[0, 0, 0].tolist() == pytest.approx([-5, -1, -4])
    assert scores.intents[0, 0].tolist() == pytest.approx([-2.25, -2.25])


@pytest.mark.parametrize(("part", "has_intents", "has_tags"), [("intent", 1, 0), ("slots", 0, 1), ("joint", 1, 1)])
@torch.no_grad()
def test_one_part_alone_scores_and_learns_that_part_only(part, has_intents, has_tags):
    method = JointPrototypes(2, part=part, temperature=1.0)
    scores = method(SUPPORT, QUERY, 2, 3)
    assert (scores.intents is not None, scores.tags is not None) == (bool(has_intents), bool(has_tags))
    # Intents: 0.25 and 2.25. Tags: 5, 0, 4 (B is right) and 0, 5, 5 (O is right).
    intent = math.log(1 + math.exp(-2))
    tags = (math.log(1 + math.exp(-5) + math.exp(-4)) + math.log(1 + 2 * math.exp(-5))) / 2
    assert method.loss(scores, QUERY).item() == pytest.approx(has_intents * intent + has_tags * tags, abs=1e-6)


def log(*rows):
    return torch.tensor(rows).log()


def test_an_intent_has_the_mean_score_of_the_tags_it_was_seen_with():
    # Intent 0 with B, intent 1 without slots, intent 2 with B and I, intent 3 never.
    support = Sentences(
        words=torch.zeros(1, 4, 2, 2),
        lengths=torch.tensor([[2, 2, 2, 1]]),
        tags=torch.tensor([[[0, 1], [0, 0], [1, 2], [0, PADDING]]]),
        intents=torch.tensor([[0, 1, 2, PADDING]]),
    )
    tags = log([0.5, 0.25, 0.25], [0.1, 0.6, 0.3], [0.01, 0.01, 0.98])[None, None]
    evidence = slot_evidence(shown_tags(support, 4, 3), QUERY, tags)
    # Means over the two words that are there; without a slot, O counts.
    outside, begin, inside = ((math.log(a) + math.log(b)) / 2 for a, b in ((0.5, 0.1), (0.25, 0.6), (0.25, 0.3)))
    assert evidence[0, 0].tolist() == pytest.approx([begin, outside, (begin + inside) / 2, outside])


def test_evidence_does_not_depend_on_what_all_tags_share():
    tags = log([0.5, 0.25, 0.25], [0.1, 0.6, 0.3], [0.01, 0.01, 0.98])[None, None]
    shown = shown_tags(SUPPORT, 2, 3)
    torch.testing.assert_close(slot_evidence(shown, QUERY, tags - 40), slot_evidence(shown, QUERY, tags))


@torch.no_grad()
def test_dependency_adds_the_weighed_evidence_to_the_scores_of_intents():
    plain, dependent = (JointPrototypes(2, temperature=2.0, dependency=on) for on in (False, True))
    expected = plain(SUPPORT, QUERY, 2, 3)
    scores = dependent(SUPPORT, QUERY, 2, 3)
    torch.testing.assert_close(scores.tags, expected.tags)
    evidence = slot_evidence(shown_tags(SUPPORT, 2, 3), QUERY, expected.tags)
    torch.testing.assert_close(scores.intents, expected.intents + 0.2 * evidence)
    dependent.dependency_weight.fill_(1.5)
    torch.testing.assert_close(dependent(SUPPORT, QUERY, 2, 3).intents, expected.intents + 1.5 * evidence)
    assert plain.dependency_weight is None


OPTIONS = [
    {},
    {"similarity": "dot"},
    {"dependency": True},
    {"transitions": "rules"},
    {"transitions": "cdt", "dependency": True},
    {"tapnet": True},
    {"part": "intent"},
    {"part": "slots", "transitions": "cdt"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@torch.no_grad()
def test_a_batch_of_unequal_episodes_scores_as_one_at_a_time(options):
    generator = torch.Generator().manual_seed(0)
    sizes = [(4, 2, 5, 2, 2), (7, 5, 3, 3, 1), (3, 1, 6, 1, 2)]
    episodes = [random_episode(generator, *size, dim=12) for size in sizes]
    torch.manual_seed(1)
    method = JointPrototypes(12, temperature=3.0, **options)
    for parameter in method.transitions.parameters():
        parameter.normal_()
    support, query, n_intents, n_tags = batch(episodes)
    together = method(support, query, n_intents, n_tags)
    losses = []
    for number, (episode, (_, own_query, _, _, _)) in enumerate(zip(episodes, sizes, strict=True)):
        own_support, asked, own_intents, own_tags = alone(episode)
        scores = method(own_support, asked, own_intents, own_tags)
        losses.append(method.loss(scores, asked))
        if scores.intents is not None:
            got = together.intents[number, :own_query]
            torch.testing.assert_close(got[:, :own_intents], scores.intents[0], rtol=1e-4, atol=1e-4)
            assert (got[:, own_intents:] == -torch.inf).all()
        if scores.tags is not None:
            got = together.tags[number, :own_query, : asked.words.shape[2]]
            inside = asked.inside[0]
            torch.testing.assert_close(got[inside][:, :own_tags], scores.tags[0][inside], rtol=1e-4, atol=1e-4)
            assert (got[inside][:, own_tags:] == -torch.inf).all()
            decoded = method.decode_tags(scores.tags[0], asked.lengths[0])
            again = method.decode_tags(got[..., :own_tags], asked.lengths[0])
            assert torch.equal(decoded[inside], again[inside])
    # Means over sentences, and over words: the loss of a batch weighs episodes by them.
    counts = torch.tensor([(len(e[0][1][1]), int(e[0][1][1].sum())) for e in episodes]).float()
    if "part" in options:
        weights = counts[:, 0 if options["part"] == "intent" else 1]
        expected = (torch.stack(losses) * weights).sum() / weights.sum()
        torch.testing.assert_close(method.loss(together, query), expected, rtol=1e-4, atol=1e-4)
    assert method.loss(together, query).isfinite()


@pytest.mark.parametrize("transitions", ["none", "rules", "cdt"])
@torch.no_grad()
def test_the_loss_ignores_labels_that_are_unknown_or_without_support(transitions):
    method = JointPrototypes(2, transitions=transitions)
    words = torch.cat([QUERY.words, QUERY.words + 1], 1)

    def loss(second_tags, second_intent, length=2):
        tags = torch.tensor([[[1, 0, PADDING], [*second_tags, PADDING]]])
        query = Sentences(words, torch.tensor([[2, length]]), tags, torch.tensor([[0, second_intent]]))
        return method.loss(method(SUPPORT, query, 3, 5), query)

    # As if the second sentence were not there: tags 3 and 4 and intent 2 have no support.
    expected = loss((PADDING, PADDING), PADDING, 0)
    torch.testing.assert_close(loss((PADDING, PADDING), PADDING), expected)
    torch.testing.assert_close(loss((3, 4), 2), expected)
    assert loss((0, 0), 1) != expected
    if transitions == "cdt":
        # A sequence counts as a whole.
        torch.testing.assert_close(loss((0, 3), 2), expected)


@torch.no_grad()
def test_learned_transitions_make_the_loss_that_of_whole_sequences():
    method = JointPrototypes(2, part="slots", temperature=2.0, transitions="cdt")
    method.transitions.table.copy_(torch.arange(15.0).reshape(3, 5) / 10)
    method.transitions.start.copy_(torch.tensor([0.5, -0.5, 0.25]))
    scores = method(SUPPORT, QUERY, 2, 3)
    emissions = scores.tags[0, 0]
    start, between, end = method.transitions(1)

    def value(first, second):
        return float(start[first] + emissions[0, first] + between[first, second] + emissions[1, second] + end[second])

    total = math.log(sum(math.exp(value(*path)) for path in product(range(3), repeat=2)))
    # Per word, as the other losses.
    assert method.loss(scores, QUERY).item() == pytest.approx((total - value(1, 0)) / 2, abs=1e-5)


@pytest.mark.parametrize("options", [o for o in OPTIONS if "part" not in o], ids=str)
def test_gradients_are_finite_where_classes_are_absent(options):
    # -inf divided by a learned temperature once made all gradients NaN.
    torch.manual_seed(0)
    method = JointPrototypes(2, **options)
    words = SUPPORT.words.clone().requires_grad_()
    support = Sentences(words, SUPPORT.lengths, SUPPORT.tags.masked_fill(SUPPORT.tags == 2, PADDING), SUPPORT.intents)
    asked = QUERY.words.clone().requires_grad_()
    query = Sentences(asked, QUERY.lengths, QUERY.tags, QUERY.intents)
    loss = method.loss(method(support, query, 4, 7), query)
    loss.backward()
    assert loss.isfinite()
    assert loss > 0
    for name, value in [("support", words), ("query", asked), *method.named_parameters()]:
        assert value.grad is None or value.grad.isfinite().all(), name
    assert method.log_temperature.grad.abs().min() > 0
    assert (method.dependency_weight is not None) == options.get("dependency", False)
    if not options.get("tapnet"):  # nothing remains of two dimensions there
        assert words.grad.abs().sum() > 0
        assert asked.grad.abs().sum() > 0


def test_gradients_are_finite_where_no_query_has_a_known_class():
    for transitions in ("none", "cdt"):
        method = JointPrototypes(2, transitions=transitions)
        query = Sentences(QUERY.words, QUERY.lengths, torch.full((1, 1, 3), PADDING), torch.tensor([[PADDING]]))
        loss = method.loss(method(SUPPORT, query, 2, 3), query)
        loss.backward()
        assert loss == 0
        assert all(p.grad is None or p.grad.isfinite().all() for p in method.parameters())


@pytest.mark.parametrize("transitions", ["none", "rules", "cdt"])
@pytest.mark.parametrize("scale", [1.0, 1e3])
@torch.no_grad()
def test_a_tag_without_support_is_never_decoded(transitions, scale):
    method = JointPrototypes(2, transitions=transitions, temperature=1.0)
    # Only O and the I of the first slot have support; distances may be as large as they like.
    tags = SUPPORT.tags.masked_fill(SUPPORT.tags == 1, 0)
    support = Sentences(SUPPORT.words * scale, SUPPORT.lengths, tags, SUPPORT.intents)
    query = Sentences((QUERY.words + 30) * scale, QUERY.lengths, QUERY.tags, QUERY.intents)
    scores = method(support, query, 2, 5)
    decoded = method.decode_tags(scores.tags[0], query.lengths[0])
    assert set(decoded[0, :2].tolist()) <= {0, 2}
    if transitions == "rules":
        # An I without a B before it is forbidden.
        assert decoded[0, :2].tolist() == [0, 0]


@torch.no_grad()
def test_decoding_without_transitions_takes_the_best_tag_of_each_word():
    scores = torch.randn(6, 4, 5, generator=torch.Generator().manual_seed(0))
    method = JointPrototypes(2)
    assert torch.equal(method.decode_tags(scores, torch.full((6,), 4)), scores.argmax(-1))


@torch.no_grad()
def test_rules_choose_the_better_of_beginning_a_slot_and_leaving_it_out():
    scores = log([0.5, 0.1, 0.4], [0.1, 0.1, 0.8])[None]
    lengths = torch.tensor([2])
    assert JointPrototypes(2).decode_tags(scores, lengths).tolist() == [[0, 2]]
    # B I: 0.1 * 0.8; O O: 0.5 * 0.1.
    assert JointPrototypes(2, transitions="rules").decode_tags(scores, lengths).tolist() == [[1, 2]]


@torch.no_grad()
def test_tapnet_changes_the_scores_of_tags_only():
    generator = torch.Generator().manual_seed(0)
    episode = alone(random_episode(generator, 4, 2, 5, 2, 2, dim=12))
    plain = JointPrototypes(12)(*episode)
    torch.manual_seed(0)
    method = JointPrototypes(12, tapnet=True)
    projected = method(*episode)
    torch.testing.assert_close(projected.intents, plain.intents)
    assert not torch.allclose(projected.tags, plain.tags)
    support, query, _, n_tags = episode
    means, present = prototypes(support.words.flatten(1, 2), support.tags.flatten(1, 2), n_tags)
    moved, asked = method.projection(means, present, query.words.flatten(1, 2))
    expected = -((asked.unsqueeze(2) - moved.unsqueeze(1)) ** 2).sum(-1) / 20
    torch.testing.assert_close(projected.tags.flatten(1, 2), expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": "slot"}, "part must be one of joint, intent, slots, but is 'slot'"),
        ({"transitions": "crf"}, "transitions must be one of none, rules, cdt, but is 'crf'"),
        ({"part": "slots", "dependency": True}, "with part='slots' there is nothing to depend on"),
        ({"temperature": 0}, "Expected a positive temperature and a name_weight from 0 to 1, got 0 and 0.0"),
        ({"name_weight": 1.5}, "got 20.0 and 1.5"),
        ({"similarity": "cosine"}, 'similarity must be "l2" or "dot"'),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        JointPrototypes(2, **options)
