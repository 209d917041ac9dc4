"""A page server for tests that shows the screens of the gallery (Tests/PagesTests/ScreenGallery.swift)."""
import json
import queue
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "Sources/Pages/Web"
TYPES = {".css": "text/css", ".js": "text/javascript", ".png": "image/png"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "require-trusted-types-for 'script'; trusted-types prompter")


def longer(text):
    """Makes a text about 40 % longer and adds accents, because a translation can be longer than its original."""
    words = []
    for word in text.split(" "):
        extra = round(len(word) * 0.4)
        words.append(word if re.search(r"\d|&|\s", word) else word + ("áëîõü" * 9)[:extra])
    return " ".join(words)


def pseudo(html):
    """Makes the sentences of a screen longer. The function does not change the labels of a caretaker and the
    names of elements."""
    parts = re.split(r"(<span[^>]* dir=\"auto\">[^<]*</span>|<span dir=\"auto\">[^<]*</span>)", html)
    return "".join(part if part.startswith("<span") and "dir=" in part[:60] else
                   re.sub(r"(^|>)([^<]+)(<|$)", lambda found: found[1] + longer(found[2]) + found[3], part) for part in parts)


class Gallery:
    """Serves one language of the gallery. Each picture shows the file `picture`."""

    def __init__(self, folder, language, picture):
        self.is_pseudo = language == "pseudo"
        self.folder = Path(folder) / ("en" if self.is_pseudo else language)
        self.picture = Path(picture)
        self.page = (self.folder / "page.html").read_text()
        if self.is_pseudo:
            head, body = self.page.split("<body>")
            self.page = f"{head}<body>{pseudo(body)}"
        self.refusals = json.loads((self.folder / "refusals.list").read_text())
        if self.is_pseudo:
            self.refusals = [longer(words) for words in self.refusals]
        self.names = [file.stem for file in sorted(self.folder.glob("*.json"))]
        self.answers, self.viewers = [], []
        self.status = 204
        self.shown = 0
        self.line = json.dumps({"clock": None}) + "\n"
        gallery = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                gallery.get(self)

            def do_POST(self):
                gallery.post(self)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def screen(self, name):
        """Returns the update that shows a screen of the gallery."""
        update = json.loads((self.folder / f"{name}.json").read_text())
        if self.is_pseudo:
            update["html"] = pseudo(update["html"])
            for segment in update["clock"]["segments"]:
                segment["day"], segment["date"] = longer(segment["day"]), longer(segment["date"])
        return update

    def show(self, update):
        """Sends an update to the pages, and returns the selector of the screen that the pages then show."""
        self.shown += 1
        html = update["html"].replace("<section ", f'<section data-shown="{self.shown}" ', 1)
        self.send({**update, "html": html, "key": f"{update['key']} {self.shown}"})
        return f'[data-shown="{self.shown}"]'

    def send(self, update):
        self.line = json.dumps(update) + "\n"
        for viewer in self.viewers:
            viewer.put(self.line)

    def get(self, request):
        if request.path == "/live":
            self.live(request)
        elif request.path == "/end":
            self.end_streams()
            self.reply(request, "text/plain", b"")
        elif request.path == "/":
            self.reply(request, "text/html; charset=utf-8", self.page.encode())
        elif request.path.startswith("/picture/"):
            self.reply(request, "image/png", self.picture.read_bytes())
        elif (file := WEB / request.path[1:]).suffix in TYPES and file.is_file():
            self.reply(request, TYPES[file.suffix], file.read_bytes())
        else:
            self.reply(request, "text/plain", b"", 404)

    def reply(self, request, kind, body, status=200):
        request.send_response(status)
        request.send_header("Content-Type", kind)
        if status != 204:
            request.send_header("Content-Length", str(len(body)))
        request.send_header("Content-Security-Policy", POLICY)
        request.end_headers()
        request.wfile.write(body)

    def live(self, request):
        request.send_response(200)
        request.send_header("Content-Type", "application/x-ndjson")
        request.send_header("Connection", "close")
        request.end_headers()
        lines = queue.Queue()
        lines.put(self.line)
        self.viewers.append(lines)
        try:
            while (line := lines.get()) is not None:
                request.wfile.write(line.encode())
        except OSError:
            pass  # The page was closed.
        finally:
            self.viewers.remove(lines)
            request.close_connection = True

    def post(self, request):
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        if request.path == "/answer":
            self.answers.append(body)
        self.reply(request, "text/plain", b"", self.status)

    def end_streams(self):
        for viewer in list(self.viewers):
            viewer.put(None)

    def end(self):
        self.end_streams()
        self.server.shutdown()
