import { startFake } from './server.mjs'

const fake = await startFake({
  port: Number(process.env.FAKE_PORT ?? 4011),
  delay: Number(process.env.FAKE_DELAY ?? 2),
})
console.log(`stand-in for the Messages API on ${fake.url}`)
