package dev.latchkey.auth.spring.plugin;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * Warns if revocations are in memory although {@code auth-jdbc} or {@code auth-redis} is on the class path: the nodes would share
 * nothing.
 */
final class UnusedStoreNotice {

    private static final Logger LOG = LoggerFactory.getLogger(UnusedStoreNotice.class);

    private UnusedStoreNotice() {}

    static void log() {
        if (isPresent("dev.latchkey.auth.jdbc.JdbcRevocationStore")) {
            LOG.warn(
                    "auth-jdbc is on the class path, and this node keeps revocations in its memory, where no other node sees"
                            + " them: there is no DataSource, or there are several and none is primary. Spring Boot makes no DataSource beside"
                            + " an R2DBC ConnectionFactory: declare a DataSource bean. For a single node, set"
                            + " latchkey.store=memory");
        }
        if (isPresent("dev.latchkey.auth.redis.RedisRevocationStore")) {
            LOG.warn(
                    "auth-redis is on the class path, and this node keeps revocations in its memory, where no other node sees"
                            + " them: there is no RedisConnectionFactory, or there are several and none is primary. For a single node, set"
                            + " latchkey.store=memory");
        }
    }

    private static boolean isPresent(String store) {
        return ClassUtils.isPresent(store, UnusedStoreNotice.class.getClassLoader());
    }
}
