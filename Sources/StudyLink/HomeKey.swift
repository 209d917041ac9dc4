import FileSystem
import Glibc
import Processes

extension LinkFiles {
  /// Makes the private key of this home and its certificate, if they do not exist yet.
  ///
  /// The archive recognises the home by its certificate, so the certificate must not expire while
  /// the device is in use. nginx refuses a certificate if the present time is not between its first
  /// date and its last date. The clock of a new device can be wrong by years. Therefore the
  /// certificate is always valid: its first date is in 1970, and its last date is the latest
  /// possible date (RFC 5280, section 4.1.2.5).
  ///
  /// The program `openssl` of Debian makes the key and the certificate. Its command `req` would
  /// take the first date from the clock of the device, so the command `ca` signs the certificate.
  public func makeKey() throws(LinkError) {
    if access(certificate, R_OK) == 0, access(key, R_OK) == 0 { return }
    umask(0o077)
    let work = "\(directory)/new-key"
    removeTree(work)
    guard mkdir(work, 0o700) == 0 else {
      throw LinkError("cannot make \(work): \(String(cString: strerror(errno)))")
    }
    defer { removeTree(work) }
    do throws(SystemError) {
      try DurableFile.write([], to: "\(work)/index", temporary: "\(work)/index.new")
      try DurableFile.write(
        Array(Self.authority(work).utf8), to: "\(work)/authority",
        temporary: "\(work)/authority.new")
    } catch {
      throw LinkError("cannot write into \(work): \(error)")
    }
    try openssl([
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
      "/CN=prompter-home", "-keyout", "\(work)/key", "-out", "\(work)/request", "-batch",
    ])
    try openssl([
      "ca", "-batch", "-selfsign", "-notext", "-config", "\(work)/authority", "-keyfile",
      "\(work)/key", "-in", "\(work)/request", "-startdate", "19700101000000Z", "-enddate",
      "99991231235959Z", "-out", "\(work)/certificate",
    ])
    guard rename("\(work)/key", key) == 0, rename("\(work)/certificate", certificate) == 0 else {
      throw LinkError("cannot write \(key): \(String(cString: strerror(errno)))")
    }
  }

  /// Returns the content of the configuration file for `openssl ca`. The file is used for one
  /// signature, and then deleted.
  private static func authority(_ directory: String) -> String {
    """
    [ca]
    default_ca = home
    [home]
    database = \(directory)/index
    new_certs_dir = \(directory)
    rand_serial = yes
    default_md = sha256
    policy = home_policy
    [home_policy]
    commonName = supplied

    """
  }

  private func openssl(_ words: [String]) throws(LinkError) {
    let status: Int32
    do throws(SpawnFailure) {
      status = try ChildProcess.run(["openssl"] + words).status
    } catch {
      throw LinkError("cannot make a key: \(error)")
    }
    guard status == 0 else {
      throw LinkError(
        "cannot make a key: \"openssl \(words[0])\" ended with status \(status >> 8)")
    }
  }
}
