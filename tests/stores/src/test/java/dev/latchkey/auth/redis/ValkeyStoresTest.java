package dev.latchkey.auth.redis;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/** The stores keep what the contracts ask, on the Valkey of this machine, for the documented user. */
@EnabledIf(
        value = "dev.latchkey.auth.redis.RedisProgram#hasValkey",
        disabledReason = "This machine has no program valkey-server")
class ValkeyStoresTest {

    @Nested
    class Revocations extends StoreContractsTest.Revocations {
        Revocations() {
            super(RedisServers::valkey);
        }
    }

    @Nested
    class Logins extends StoreContractsTest.Logins {
        Logins() {
            super(RedisServers::valkey);
        }
    }

    @Nested
    class Buckets extends StoreContractsTest.Buckets {
        Buckets() {
            super(RedisServers::valkey);
        }
    }

    @Nested
    class Portions extends StoreContractsTest.Portions {
        Portions() {
            super(RedisServers::valkey);
        }
    }
}
