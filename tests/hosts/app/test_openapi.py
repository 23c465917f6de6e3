"""The API agrees with its OpenAPI document for all requests."""

import os

import hypothesis
import pytest
import schemathesis
from hypothesis import strategies
from schemathesis.checks import CHECKS, load_all_checks
from tests.hosts.app.serving import ENDLESS

from labelscape.hosts.app.server import make_app

# LABELSCAPE_LONG=1 asks longer.
EXAMPLES = 300 if os.environ.get("LABELSCAPE_LONG") == "1" else 15
# What no answer may do. Others want to know, for example, that odd words are refused,
# but the name of a run may be any.
CLAIMS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def without_pairs(schema):
    """Describe each item of a pair by either: schemathesis misreads ``prefixItems``.

    It rewrites the word as an older draft of JSON Schema did, and then checks answers
    with the newer draft.
    """
    if isinstance(schema, list):
        return [without_pairs(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {name: without_pairs(one) for name, one in schema.items()}
    either = rest.pop("prefixItems", None)
    return rest if either is None else rest | {"items": {"anyOf": either}}


DOCUMENT = schemathesis.openapi.from_dict(without_pairs(make_app(None).openapi()))
OPERATIONS = {found.ok().label: found.ok() for found in DOCUMENT.get_all_operations()}


@pytest.fixture(scope="module")
def claims():
    load_all_checks()
    return CHECKS.get_by_names(CLAIMS)


@pytest.fixture(scope="module")
def known(client, trees):
    """Ids of existing records, for further requests."""
    run = client.started(trees)
    client.ended(run)
    return {"/api/runs": run, "/api/tables": trees}


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_answer_is_as_documented(http, known, claims, label):
    id = next((known[k] for k in known if label.split()[1].startswith(f"{k}/")), None)

    @hypothesis.seed(0)
    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(
        case=OPERATIONS[label].as_strategy(), is_known=strategies.booleans()
    )
    def check(case, is_known):
        if is_known and "id" in case.path_parameters:
            case.path_parameters["id"] = id
        if is_known and label == "POST /api/runs" and isinstance(case.body, dict):
            case.body |= {"table": known["/api/tables"], "method": "lda"}
        answer = case.call(
            base_url=str(http.base_url),
            headers={"authorization": http.headers["authorization"]},
            timeout=ENDLESS,  # the first question starts a process
        )
        case.validate_response(answer, checks=claims)

    check()


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/status", "GET"),
        ("/api/datasets", "GET, POST"),
        ("/api/runs/0123456789ab", "DELETE, GET, PATCH"),
        ("/api/tables/embedded", "DELETE, GET, PATCH"),
    ],
)
def test_how_an_address_may_be_asked_is_told_who_asks_otherwise(http, path, methods):
    answer = http.put(path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == methods
    words = "This address does not accept that HTTP method."
    assert answer.json() == {"detail": words, "parameter": None}
