import Glibc
import Processes

extension LinkFiles {
  /// Makes the private key of this home and its certificate, if they do not exist yet.
  ///
  /// The archive knows the home by its certificate, so the key must not expire while the device is in
  /// use. Debian's program `openssl` makes both files.
  public func makeKey() throws(LinkError) {
    if access(certificate, R_OK) == 0, access(key, R_OK) == 0 { return }
    let words = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "10950", "-subj", "/CN=prompter-home", "-keyout", key, "-out", certificate,
      "-batch",
    ]
    umask(0o077)
    let status: Int32
    do throws(SpawnFailure) {
      status = try ChildProcess.run(words).status
    } catch {
      throw LinkError("cannot make a key: \(error)")
    }
    guard status == 0, access(certificate, R_OK) == 0, access(key, R_OK) == 0 else {
      throw LinkError("cannot make a key: openssl ended with status \(status >> 8)")
    }
  }
}
