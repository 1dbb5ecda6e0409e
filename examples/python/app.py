import os
import secrets
from urllib.parse import urlencode

from authlib.integrations.flask_client import OAuth, OAuthError
from flask import Flask, jsonify, redirect, render_template_string, session

origin = "http://localhost:8080"
issuer = os.environ["ISSUER"]

app = Flask(__name__)
app.secret_key = secrets.token_hex(32)
app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
latchkey = OAuth(app).register(
    "latchkey",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)

page = """
{% if user %}
<p>Hello {{ user.name }}</p><p><a href="/films">Films</a></p>
<form method="post" action="/sign-out"><button>Sign out</button></form>
{% else %}
<a href="/sign-in">Sign in</a>
{% endif %}
"""


@app.get("/")
def home():
    return render_template_string(page, user=session.get("user"))


@app.get("/sign-in")
def sign_in():
    return latchkey.authorize_redirect(f"{origin}/callback")


@app.get("/callback")
def callback():
    try:
        token = latchkey.authorize_access_token()
    except OAuthError as error:
        app.logger.warning("The sign-in ended: %s", error)
        return 'This did not work. <a href="/">Start again</a>', 400
    user = token["userinfo"]
    session.clear()
    session["user"] = {"id": user["sub"], "name": user["name"], "email": user.get("email")}
    session["id_token"] = token["id_token"]
    return redirect("/")


@app.post("/sign-out")
def sign_out():
    id_token = session.pop("id_token", None)
    session.clear()
    if id_token is None:
        return redirect("/")
    parameters = {"id_token_hint": id_token, "post_logout_redirect_uri": f"{origin}/"}
    endpoint = latchkey.load_server_metadata()["end_session_endpoint"]
    return redirect(f"{endpoint}?{urlencode(parameters)}")


@app.get("/films")
def films():
    if "user" not in session:
        return jsonify(error="Sign in first."), 401
    return jsonify(films=["Metropolis", "Nosferatu"])
