import numpy as np
import pytest
from transformers import PreTrainedTokenizerFast

from hf_fewshot.clozes.cloze import Cloze, load_cloze
from hf_fewshot.clozes.inputs import ClozeInputBuilder, Demonstrations, label_tokens
from hf_fewshot.models.loading import load_tokenizer
from tests.clozes.reviews import review

TRAIN = [review("good film"), review("dull", "negative"), review("fine film"), review("bad film", "negative")]


def read(tokenizer, ids):
    return " ".join(tokenizer.convert_ids_to_tokens(ids))


def test_words_of_labels_are_tokens_of_bert_and_roberta(masked_bert, masked_roberta):
    for folder, words in ((masked_bert, ["great", "terrible"]), (masked_roberta, ["Ġgreat", "Ġterrible"])):
        tokenizer = load_tokenizer(folder)
        assert tokenizer.convert_ids_to_tokens(label_tokens(load_cloze("sst2"), tokenizer)) == words
    tokenizer = load_tokenizer(masked_roberta)
    assert tokenizer.convert_ids_to_tokens(label_tokens(load_cloze("mnli"), tokenizer)) == ["ĠYes", "ĠMaybe", "ĠNo"]


def test_words_that_cannot_stand_at_one_mask_are_refused(masked_bert):
    tokenizer = load_tokenizer(masked_bert)

    def own(**labels):
        return Cloze("own", ("text",), "{text} {mask}", labels)

    with pytest.raises(ValueError, match=r"the word 'superb' of label 'p' must be one token .* but is \['s', '##u'"):
        label_tokens(own(p="superb", n="bad"), tokenizer)
    with pytest.raises(ValueError, match=r"the word '好' .* but is \['\[UNK\]'\]. Choose another word"):
        label_tokens(own(p="好", n="bad"), tokenizer)
    with pytest.raises(ValueError, match="two labels have the same token"):
        label_tokens(own(p="Bad", n="bad"), tokenizer)
    plain = PreTrainedTokenizerFast(tokenizer_object=tokenizer.backend_tokenizer)
    with pytest.raises(ValueError, match=r"has no mask token. Prompts need a masked language model"):
        label_tokens(own(p="good", n="bad"), plain)


def test_a_sequence_with_demonstrations(masked_bert, masked_roberta):
    tokenizer = load_tokenizer(masked_bert)
    builder = ClozeInputBuilder(tokenizer, load_cloze("sst2"), 80)
    ids, mask = builder.sequence(review("a film"), TRAIN[:2])
    assert read(tokenizer, ids) == (
        "[CLS] a film it was [MASK] . [SEP] good film it was great . [SEP] dull it was terrible . [SEP]"
    )
    assert mask == 5
    tokenizer = load_tokenizer(masked_roberta)
    ids, mask = ClozeInputBuilder(tokenizer, load_cloze("sst2"), 80).sequence(review("a film"), TRAIN[1:2])
    assert ids[mask] == tokenizer.mask_token_id
    assert list(ids).count(tokenizer.mask_token_id) == 1
    assert "Ġdull" in read(tokenizer, ids)
    assert "Ġterrible" in read(tokenizer, ids)


def test_a_mask_in_the_text_of_a_row_is_not_the_gap(masked_bert):
    tokenizer = load_tokenizer(masked_bert)
    ids, mask = ClozeInputBuilder(tokenizer, load_cloze("sst2"), 80).sequence(review("[MASK] film"), [])
    assert read(tokenizer, ids) == "[CLS] [MASK] film it was [MASK] . [SEP]"
    assert mask == 5


def test_the_longest_texts_are_cut_and_the_template_is_not(masked_bert):
    tokenizer = load_tokenizer(masked_bert)
    long = review("a good fine good fine good fine film")
    # The template and the separators take 16 tokens: 6 are left for texts of 8, 5 and 1.
    builder = ClozeInputBuilder(tokenizer, load_cloze("sst2"), 22)
    ids, mask = builder.sequence(long, [review("the bad dull bad dull", "negative"), review("film")])
    assert read(tokenizer, ids) == (
        "[CLS] a good it was [MASK] . [SEP] the bad it was terrible . [SEP] film it was great . [SEP]"
    )
    assert mask == 5


def test_a_template_that_leaves_no_room_is_refused(masked_bert):
    builder = ClozeInputBuilder(load_tokenizer(masked_bert), load_cloze("sst2"), 6)
    with pytest.raises(ValueError, match=r"takes 6 tokens and leaves no room for 1 texts in max_length=6. Raise it"):
        builder.sequence(review("a film"), [])


def test_a_draw_has_one_row_of_each_label_and_never_the_row_itself():
    demonstrations = Demonstrations(load_cloze("sst2"), TRAIN)
    seen = set()
    for seed in range(30):
        drawn = demonstrations.draw(np.random.default_rng(seed), without=0)
        assert [row["answers"][0] for row in drawn] == ["positive", "negative"]
        seen.add(tuple(row["id"] for row in drawn))
    assert seen == {("fine film", "dull"), ("fine film", "bad film")}
    alone = Demonstrations(load_cloze("sst2"), TRAIN[:1])
    assert alone.draw(np.random.default_rng(0)) == TRAIN[:1]
    assert alone.draw(np.random.default_rng(0), without=0) == []


def test_batches_are_padded(masked_bert):
    tokenizer = load_tokenizer(masked_bert)
    batch = ClozeInputBuilder(tokenizer, load_cloze("sst2"), 80)([review("a film"), review("bad")], [[], TRAIN[:1]])
    assert batch.input_ids.shape == batch.attention_mask.shape == (2, 14)
    assert batch.attention_mask.sum(1).tolist() == [8, 14]
    assert batch.mask_positions.tolist() == [5, 4]
