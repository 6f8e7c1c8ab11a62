import { answerHealth } from '@/lib/server/info'

export const dynamic = 'force-dynamic'

export const GET = answerHealth
