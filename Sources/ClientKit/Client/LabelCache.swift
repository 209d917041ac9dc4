import API
import Glibc
import JSONValue
import NIOPosix
import Synchronization

/// The labels of the alarms of a home, for a program that shows events as they happen.
///
/// The reader of the event stream runs on the thread of an event loop. The same thread receives the
/// replies to requests, so this thread must not wait for a reply. Therefore the cache sends its
/// requests on a separate thread.
package final class LabelCache: Sendable {
  private let client: Client
  private let labels = Mutex<[String: String]>([:])
  private let pool = NIOThreadPool(numberOfThreads: 1)

  /// The maximum time for which `refresh` waits for the reply, in seconds.
  private static let patienceSeconds = 3

  package init(_ client: Client) {
    self.client = client
    pool.start()
  }

  /// The label of each alarm. The key is the id of the alarm. The cache also keeps the labels of
  /// removed alarms.
  package var all: [String: String] { labels.withLock { $0 } }

  /// Reads the labels again, and waits for the reply for a short time.
  ///
  /// If the role of this user does not permit reading labels, or if the home does not reply, the
  /// cache keeps its old labels.
  package func refresh() {
    let answered = Answered()
    pool.submit { _ in
      if let list = try? self.client.send(Request(.listAlarms)).document() {
        let found = list.list("alarms").map { ($0.text("id"), $0.text("label")) }
        self.labels.withLock { $0.merge(found) { _, new in new } }
      }
      answered.post()
    }
    answered.wait(seconds: Self.patienceSeconds)
  }
}

/// A semaphore at which one thread waits for the labels. After the request has ended, the thread of
/// the cache wakes this waiting thread.
private final class Answered: @unchecked Sendable {
  // The compiler cannot check that the class is Sendable. The class is safe, because the pointer
  // never changes, and because the functions of the semaphore are thread-safe.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func post() { sem_post(semaphore) }

  func wait(seconds: Int) {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    while sem_timedwait(semaphore, &end) != 0, errno == EINTR {}
  }
}
