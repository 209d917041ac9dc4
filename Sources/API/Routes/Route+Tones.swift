import Alarms

/// The routes for recordings.
extension Route {
  static let toneRoutes: [Route] = [
    Route(
      .listTones, .get, "/v1/tones", home, query: [.limit(500), .after],
      answers: .json(.toneList), "The stored recordings."),
    Route(
      .addTone, .put, "/v1/tones/{name}", [.caretaker],
      query: [
        Parameter(
          "replace", .word(["yes"]),
          "`yes`: the recording replaces the stored recording with the same name. Without "
            + "`replace`, the daemon refuses the request if a recording has this name (kind "
            + "`conflict`).")
      ],
      takes: .bytes([
        "audio/wav", "audio/flac", "audio/ogg", "audio/mpeg", "audio/mp4", "audio/aac", "audio/amr",
        "audio/3gpp", "audio/webm", "audio/x-caf", "audio/x-ms-wma", "application/octet-stream",
      ]),
      bodyLimit: Route.uploadBody, status: 201, answers: .json(.toneShown),
      "Checks, normalises and stores a recording. The bytes decide the format, not the name or the "
        + "type of the request. WAV, FLAC, Ogg Vorbis, Ogg Opus and MP3 are always accepted. The "
        + "other formats (M4A, MP4, AAC, AMR, 3GP, WebM, Matroska, CAF, WMA) need the package "
        + "`prompter-formats`. Without the package, the refusal names the format."),
    Route(
      .removeTone, .delete, "/v1/tones/{name}", [.caretaker],
      query: [
        Parameter(
          "replace_with", .text,
          "The recording that replaces the removed recording in alarms and as `tone` of people.")
      ],
      answers: .json(.toneShown),
      "Removes a recording. If an alarm uses the recording, or if it is the `tone` of a person, "
        + "`replace_with` must name another recording."),
    Route(
      .renameTone, .post, "/v1/tones/{name}/rename", [.caretaker], takes: .json(.renameForm),
      answers: .json(.toneShown),
      "Renames a recording. The alarms and people that use the recording then use the new name."),
    Route(
      .playTone, .post, "/v1/tones/{name}/play", [.caretaker], takes: .json(.nothing),
      answers: .json(.played),
      "Plays a recording on the speaker of the home. The daemon replies after the recording has "
        + "ended."
    ),
    Route(
      .toneSound, .get, "/v1/tones/{name}/sound", home, answers: .bytes(["audio/wav"]),
      "The recording as a WAV file."),
  ]
}
