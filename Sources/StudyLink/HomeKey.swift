import FileSystem
import Glibc
import Processes

extension LinkFiles {
  /// Makes the private key of this home and its certificate, if they do not exist yet.
  ///
  /// The archive knows the home by its certificate, so the key must not expire while the device is in
  /// use. nginx refuses a certificate whose dates do not include the present time, and the clock of a
  /// new device can be wrong by years. Therefore the certificate is always valid: until the last date
  /// of RFC 5280, section 4.1.2.5. Debian's program `openssl` makes both files. Its command `req` takes
  /// the first date from the clock, so the command `ca` signs the certificate.
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

  /// The configuration of `openssl ca`, which signs one certificate and is then deleted.
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
