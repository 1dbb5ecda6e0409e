"""Creates, updates and deletes the stack in moto, a model of AWS that others wrote.

    npm run synth && python3 test/moto/deploy-to-moto.py

It needs moto with the packages of CloudFormation, which nothing installs: `pip install 'moto[all]'`. moto does not know HTTP APIs, nested
stacks from assets, and some attributes. What it does not know is left out and listed, so this proves nothing about those parts.
"""

import json
import os
import pathlib
import sys

for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
    os.environ[name] = "testing"
os.environ["AWS_DEFAULT_REGION"] = "us-east-1"

try:
    import boto3
    from moto import mock_aws
    from moto.cloudformation.parsing import get_model_map
except ImportError as error:
    sys.exit(f"moto is not installed ({error}). Install it with: pip install 'moto[all]'")

TEMPLATE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "cdk.out/Latchkey.template.json")
# moto has models of these types, which fail for reasons of their own: their values of Ref or GetAtt differ from those of AWS.
UNUSABLE = {
    "AWS::CloudFormation::Stack",
    "AWS::ApiGatewayV2::Api",
    "AWS::ApiGatewayV2::Stage",
    "AWS::Events::EventBus",
    "AWS::Events::EventBusPolicy",
}
STAND_IN = "stand-in"


def references(value):
    """Yields the logical IDs to which a part of a template refers."""
    if isinstance(value, dict):
        if set(value) == {"Ref"}:
            yield value["Ref"]
        elif set(value) == {"Fn::GetAtt"}:
            target = value["Fn::GetAtt"]
            yield target[0] if isinstance(target, list) else target.split(".")[0]
        else:
            for inner in value.values():
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def without(value, missing):
    """Replaces references to resources that are left out by a text."""
    if isinstance(value, dict):
        if set(value) in ({"Ref"}, {"Fn::GetAtt"}) and missing.intersection(references(value)):
            return STAND_IN
        return {key: without(inner, missing) for key, inner in value.items()}
    if isinstance(value, list):
        return [without(inner, missing) for inner in value]
    return value


def reduce(template):
    """Leaves out the resources that moto has no model of. Returns the rest, and their types."""
    resources = template["Resources"]
    missing = {
        id
        for id, resource in resources.items()
        if resource["Type"] not in get_model_map() or resource["Type"] in UNUSABLE
    }
    kept = {}
    for id, resource in resources.items():
        if id in missing:
            continue
        reduced = without({key: value for key, value in resource.items() if key != "DependsOn"}, missing)
        depends = resource.get("DependsOn", [])
        needed = [one for one in ([depends] if isinstance(depends, str) else depends) if one not in missing]
        kept[id] = {**reduced, **({"DependsOn": needed} if needed else {})}
    # moto has no managed policies, and no code in its buckets.
    for resource in kept.values():
        properties = resource.get("Properties", {})
        properties.pop("ManagedPolicyArns", None)
        if resource["Type"] == "AWS::Lambda::Function":
            properties["Code"] = {"ZipFile": "exports.handler = async () => {}"}
        if properties.get("EventBusName") == STAND_IN:
            del properties["EventBusName"]
    left_out = sorted({resources[id]["Type"] for id in missing})
    # The only parameter is the version of the CDK's bootstrap stack, which a rule compares.
    return {"Resources": kept}, left_out


def change(template):
    """The template with a change that an operator makes: another description of each function."""
    changed = json.loads(json.dumps(template))
    for resource in changed["Resources"].values():
        if resource["Type"] == "AWS::Lambda::Function":
            resource["Properties"]["Description"] = "Latchkey: changed"
    return changed


@mock_aws
def main():
    template, left_out = reduce(json.loads(TEMPLATE.read_text()))
    client = boto3.client("cloudformation")
    expected = len(template["Resources"])

    def resources(status):
        pages = client.get_paginator("list_stack_resources").paginate(StackName="Latchkey")
        found = [one for page in pages for one in page["StackResourceSummaries"]]
        if len(found) != expected:
            sys.exit(f"{status}: moto has {len(found)} of {expected} resources.")
        print(f"{status}: {len(found)} of {expected} resources")

    given = {"StackName": "Latchkey", "Capabilities": ["CAPABILITY_IAM"]}
    client.create_stack(TemplateBody=json.dumps(template), **given)
    resources("created")
    client.update_stack(TemplateBody=json.dumps(change(template)), **given)
    resources("updated")
    client.delete_stack(StackName="Latchkey")
    status = client.list_stacks()["StackSummaries"][0]["StackStatus"]
    if status != "DELETE_COMPLETE":
        sys.exit(f"The stack has the status {status} after its deletion.")
    print("deleted")
    print(f"Left out, because moto has no model of them: {', '.join(left_out)}")


main()
