// A libFuzzer target that reads any bytes as a recording. The decoder must make a normal tone from
// the bytes or refuse them with a sentence, and must not crash or hang. In the product, the decoder
// runs in a sandboxed child process. If the decoder crashed there, the daemon would continue. But
// the caretaker would not learn why the daemon refused the recording.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSound(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let upload = Array(UnsafeBufferPointer(start: bytes, count: count))
  do {
    let tone = try Normalizer(SoundFile.decode(upload))
    precondition(
      (24_000...60 * 48_000 + 48).contains(tone.samples.count), "\(tone.samples.count) samples")
    precondition(tone.loudness.peakDecibels < -1.4, "a peak of \(tone.loudness.peakDecibels) dB")
    precondition(tone.loudness.lufs < -15, "\(tone.loudness.lufs) LUFS")
    let stored = try CanonicalWAV.decode(CanonicalWAV.encode(tone.samples)[...])
    precondition(stored == tone.samples, "the stored samples differ from the decoded samples")
  } catch let refusal as SoundRefusal {
    precondition(!refusal.sentence.isEmpty, "a refusal without a sentence")
  } catch {
    preconditionFailure("the encoded tone cannot be decoded: \(error)")
  }
  return 0
}
