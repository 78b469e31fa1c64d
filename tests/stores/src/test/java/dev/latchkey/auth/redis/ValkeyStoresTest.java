package dev.latchkey.auth.redis;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The stores keep what the contracts ask, on a Valkey, for the documented user. CONTRIBUTING.md says how to get a Valkey. */
@Tag("valkey")
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
