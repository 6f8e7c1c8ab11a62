// Where to listen, as HOST says it.

/** `[::1]` → `::1`, as sockets want it; nothing → this machine alone. */
export const listenHost = (host) => (host ?? '').trim().replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'

/** Whether only this machine can reach what listens there: localhost, ::1, and all of 127.0.0.0/8. */
export const isLoopbackHost = (host) => /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host)
