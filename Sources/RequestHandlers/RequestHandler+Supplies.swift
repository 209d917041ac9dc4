import API
import Alarms
import Engine
import JSONValue

// The handlers for the supplies of the home.
extension RequestHandler {
  func supplies(_ request: APIRequest) async throws -> APIResponse {
    let name = request.parameters["name"] ?? ""
    switch request.operation {
    case .addSupply:
      let (form, left) = try SupplyForm.readNew(body: request.body)
      return try await set(
        .add(SupplyID(newAlarmID().text), form, left: left), request, status: 201)
    case .changeSupply:
      return try await set(.change(name, try SupplyForm(body: request.body)), request)
    case .removeSupply: return try await set(.remove(name), request)
    case .refillSupply: return try await set(try .refill(name, body: request.body), request)
    case .countSupply: return try await set(try .count(name, body: request.body), request)
    default: return await listSupplies()
    }
  }

  private func listSupplies() async -> APIResponse {
    let (now, environment) = (ports.now().wall, ports.environment())
    let list = await engine.read { home, _ in
      home.supplies.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        .map { JSON.supply($0, in: home, at: now, environment) }
    }
    return .json(.object([("supplies", .array(list))]))
  }

  private func set(
    _ command: SupplyCommand, _ request: APIRequest, status: Int = 200
  ) async throws -> APIResponse {
    let (now, environment) = (ports.now().wall, ports.environment())
    return try await carryOut(.supply(command), by: request.actor) { reply, home in
      guard case .supply(let supply) = reply else {
        preconditionFailure("the engine returned no supply")
      }
      return .json(
        .object([("supply", .supply(supply, in: home, at: now, environment))]), status: status)
    }
  }
}
