import MessageDigest

/// Creates a random pseudonym, for example `P-4k9x2m7q`.
///
/// A pseudonym has a letter (`P` for a person, `D` for a device), then `-`, then eight characters
/// of Crockford base 32. Pseudonyms are random. Therefore, a pseudonym gives no information about
/// the person.
func pseudonym(
  _ letter: Character, _ random: inout any RandomNumberGenerator & Sendable
) -> String {
  pseudonym(letter, bits: random.next())
}

/// Converts the lowest 40 bits of `bits` to a pseudonym.
func pseudonym(_ letter: Character, bits: UInt64) -> String {
  let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
  var text = "\(letter)-"
  for place in 0..<8 { text.append(alphabet[Int(bits >> (5 * UInt64(place)) & 31)]) }
  return text
}

/// Returns `count` random bytes.
func randomBytes(
  _ count: Int, _ random: inout any RandomNumberGenerator & Sendable
) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count {
    let bits: UInt64 = random.next()
    withUnsafeBytes(of: bits) { bytes.append(contentsOf: $0) }
  }
  return Array(bytes.prefix(count))
}

/// Returns a random UUID (RFC 9562, version 4).
func randomIdentifier(_ random: inout any RandomNumberGenerator & Sendable) -> String {
  var bytes = randomBytes(16, &random)
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  var text = Array(hexadecimal(bytes).utf8)
  for place in [8, 13, 18, 23] { text.insert(UInt8(ascii: "-"), at: place) }
  return String(decoding: text, as: UTF8.self)
}
