import pytest
import torch
from torch import nn

from hf_fewshot.models.finite import require_finite


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_weight_that_is_no_number_is_refused_by_name(value, dtype):
    model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)).to(dtype)
    require_finite(model)
    with torch.no_grad():
        model[1].weight[1, 0] = value
    sentence = (
        r"^Training came to nothing: the weights are not finite numbers \(1.weight\) after step 7. The model is not "
        r"kept. Lower learning_rate, raise warmup_steps, or limit gradients with max_grad_norm.$"
    )
    with pytest.raises(ValueError, match=sentence):
        require_finite(model, " after step 7")


def test_infinities_of_both_signs_do_not_cancel_and_large_numbers_are_numbers():
    model = nn.Linear(2, 1, bias=False)
    with torch.no_grad():
        model.weight[:] = torch.tensor([[3e38, 3e38]])
    require_finite(model)
    half = nn.Linear(2, 1, bias=False).half()
    with torch.no_grad():
        half.weight[:] = 60_000
    require_finite(half)
    with torch.no_grad():
        model.weight[:] = torch.tensor([[torch.inf, -torch.inf]])
    with pytest.raises(ValueError, match="not finite numbers"):
        require_finite(model)
