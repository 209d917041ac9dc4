import FileSystem
import Glibc

/// A new file for a download. The file has a temporary name until all bytes have arrived and are
/// synced to the disk.
package struct Download: Sendable {
  private let file: DurableFile

  /// - Throws: `Failure.badUsage` if the file already exists or cannot be created.
  package init(_ path: String) throws {
    guard access(path, F_OK) != 0 else { throw Failure.badUsage("\(path) exists already") }
    do throws(SystemError) {
      file = try DurableFile(replacing: path, temporary: "\(path).partial-\(getpid())")
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// The path of the incomplete file before `commit` renames the file.
  package var partial: String { file.temporary }

  package func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) { try file.write(bytes[...]) } catch { throw failure(error) }
  }

  /// Writes the file to the disk, and returns after all bytes are on the disk.
  package func flush() throws {
    do throws(SystemError) { try file.flush() } catch { throw failure(error) }
  }

  /// Renames the file to its final name. When the function returns, the new name is on the disk.
  package func commit() throws {
    do throws(SystemError) { try file.commit() } catch { throw failure(error) }
  }

  private func failure(_ error: SystemError) -> Failure { Self.failure(file.path, error) }

  private static func failure(_ path: String, _ error: SystemError) -> Failure {
    .badUsage("cannot write \(path): \(error)")
  }
}
