import Glibc

/// The names in a directory, in no order.
public func fileNames(in directory: String) throws(SystemError) -> [String] {
  guard let stream = opendir(directory) else { throw SystemError(code: errno) }
  defer { closedir(stream) }
  return names(in: stream)
}

/// Reads all names of an open directory, except itself and its parent.
func names(in stream: OpaquePointer) -> [String] {
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
