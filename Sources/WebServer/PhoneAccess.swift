import CaretakerPages
import ClientKit
import JSONValue
import NIOPosix
import Pages
import Pairing
import ScreenServer

/// Decides about requests of phones. A phone has access if it sends a cookie that it received for
/// the code of an invitation.
struct PhoneAccess: CaretakerAccess {
  var registry: PhoneRegistry
  var client: Client
  var control: PhoneControl
  /// The value of the header field `Host` that names this server.
  var host: String
  /// Reads the certificate of the certificate authority; nil if there is no such certificate.
  var authority: @Sendable () -> [UInt8]?
  /// The threads that write the file of the devices.
  var pool: NIOThreadPool

  func decide(_ request: PageRequest, version: Int) -> CaretakerDecision {
    let registry = registry
    var device: Device?
    let action = request.phoneAction(host: host, version: version) { cookie in
      device = registry.device(cookie: cookie)
      return device?.digest
    }
    switch action {
    case .pages(let action, _):
      guard let device else { return Self.refusal(401, "this device has no access") }
      return .pages(action, visitor(request, device))
    case .pairPage:
      let languages = request.languages
      return .own { _ in Self.page(PairPage(languages: languages), status: 200) }
    case .pair:
      let (languages, kind) = (
        request.languages, DeviceKind.name(userAgent: request.value("user-agent"))
      )
      return .own { body in
        let form = FormFields(encoded: String(decoding: body, as: UTF8.self))
        return Self.pair(form?.text("code") ?? "", kind, languages, registry)
      }
    case .file(let file):
      return .own { _ in
        CaretakerDecision.OwnReply(status: 200, contentType: file.contentType, bytes: file.bytes)
      }
    case .authority:
      let authority = authority
      return .own { _ in
        guard let bytes = authority() else {
          return CaretakerDecision.OwnReply(
            status: 404, why: "this server has no certificate of an authority")
        }
        return CaretakerDecision.OwnReply(
          status: 200, contentType: "application/x-x509-ca-cert", bytes: bytes)
      }
    case .refuse(let status, let why): return Self.refusal(status, why)
    }
  }

  /// Returns the browser of a device. On the first request of each day, the server sends the cookie
  /// to the browser again. Therefore the cookie of a device in use never expires.
  private func visitor(_ request: PageRequest, _ device: Device) -> CaretakerDecision.Visitor {
    var fields: [(name: String, value: String)] = []
    if registry.isFirstUse(of: device), let cookie = request.cookie(PageRequest.deviceCookie) {
      fields = [("set-cookie", PageRequest.setDeviceCookie(cookie))]
      let registry = registry
      pool.submit { _ in registry.used(number: device.number) }
    }
    let (control, manager) = (
      control, PhoneManager.phone(number: device.number, user: device.user)
    )
    return CaretakerDecision.Visitor(
      home: CaretakerClient(
        client: client, user: device.user, device: device.number,
        phones: { request in
          let reply = control.answer(request, for: manager)
          return HomeReply(status: reply.status, body: Array(reply.body.description.utf8))
        }),
      device: device.number, fields: fields)
  }

  private static func pair(
    _ code: String, _ kind: String, _ languages: [String], _ registry: PhoneRegistry
  ) -> CaretakerDecision.OwnReply {
    do throws(PairPage.Trouble) {
      let cookie = try registry.add(code: code, kind: kind)
      return CaretakerDecision.OwnReply(
        status: 303, contentType: "text/plain", bytes: [],
        fields: [("location", "/"), ("set-cookie", PageRequest.setDeviceCookie(cookie))])
    } catch {
      return page(PairPage(languages: languages, trouble: error), status: 403)
    }
  }

  private static func page(_ page: PairPage, status: Int) -> CaretakerDecision.OwnReply {
    CaretakerDecision.OwnReply(
      status: status, contentType: "text/html; charset=utf-8", bytes: Array(page.html.utf8))
  }

  private static func refusal(_ status: Int, _ why: String) -> CaretakerDecision {
    .own { _ in CaretakerDecision.OwnReply(status: status, why: why) }
  }
}
