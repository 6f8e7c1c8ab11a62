/** Error types by HTTP status, as the provider pairs them. */
const TYPE_OF_STATUS = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const MESSAGE_OF_STATUS = {
  401: 'invalid x-api-key',
  403: 'Your API key does not have permission to use the specified resource.',
  404: 'Not found',
  413: 'Request exceeds the maximum size',
  429: "This request would exceed your organization's rate limit",
  500: 'Internal server error',
  529: 'Overloaded',
}

/** An Error that becomes an HTTP answer in the API's manner. */
export const apiError = (status, message, { type, headers } = {}) =>
  Object.assign(new Error(message ?? MESSAGE_OF_STATUS[status] ?? 'Request failed'), {
    status,
    type: type ?? TYPE_OF_STATUS[status] ?? 'api_error',
    headers: headers ?? {},
  })

/** Refuses a request: 400 `invalid_request_error`. */
export function refuse(message) {
  throw apiError(400, message)
}
