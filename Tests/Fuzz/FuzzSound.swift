// A libFuzzer target: any bytes as a recording, which must become a tone as every tone is, or be refused
// with a sentence; never crash or hang. In the product this runs in a confined child: a crash here is no
// way into the daemon, but it is a recording that a caretaker hears no reason for.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSound(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let upload = Array(UnsafeBufferPointer(start: bytes, count: count))
  do {
    let tone = try Normalizer.of(upload).tone
    precondition(
      (24_000...60 * 48_000 + 48).contains(tone.samples.count), "\(tone.samples.count) samples")
    precondition(tone.loudness.peakDecibels < -1.4, "a peak of \(tone.loudness.peakDecibels) dB")
    precondition(tone.loudness.lufs < -15, "\(tone.loudness.lufs) LUFS")
    let stored = try CanonicalWAV.decode(CanonicalWAV.encode(tone.samples)[...])
    precondition(stored == tone.samples, "what is stored is not what was made")
  } catch let refusal as SoundRefusal {
    precondition(!refusal.sentence.isEmpty, "a refusal without a word")
  } catch {
    preconditionFailure("our own file cannot be read again: \(error)")
  }
  return 0
}
