"""Figures of Port Ellery. Everything here is agreed with the harbour master.

Lengths are metres, speeds knots, times minutes after midnight of day 0 unless a
name says otherwise. Agents read these names; none of them keeps a copy.
"""

PORT_NAME = "Port Ellery"
BERTH_COUNT = 9

# Water that must stay between keel and ground. The survey of March 2031 found
# 0.3 m of silt at the west quay, which is why this is no longer 0.5.
UNDER_KEEL_CLEARANCE_M = 0.8

# The approach closes above this wind, and cranes stop well before it.
MAX_WIND_KN = 34
CRANE_WIND_LIMIT_KN = 28

# How far ahead a plan may reach. Tide tables are exact for two days, weather
# reports are not, so plans stop in between.
PLAN_HORIZON_H = 36

# From hour, to hour. No horn, no flood lights on the east quay.
QUIET_HOURS = (22, 6)

# A pilot rests this long after a job; the union contract says ten hours.
PILOT_REST_MIN = 600

# A mailbox refuses more than this many unread messages.
MAILBOX_LIMIT = 200

CURRENCY = "EUR"
