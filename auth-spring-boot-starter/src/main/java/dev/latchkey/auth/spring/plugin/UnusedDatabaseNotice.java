package dev.latchkey.auth.spring.plugin;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Warns if revocations are in memory although {@code auth-jdbc} is on the class path: the nodes would share nothing. */
final class UnusedDatabaseNotice {

    private static final Logger LOG = LoggerFactory.getLogger(UnusedDatabaseNotice.class);

    private UnusedDatabaseNotice() {}

    static void log(Environment environment) {
        if (ClassUtils.isPresent(
                        "dev.latchkey.auth.jdbc.JdbcRevocationStore", UnusedDatabaseNotice.class.getClassLoader())
                && environment.getProperty("latchkey.jdbc.enabled", Boolean.class, true)) {
            LOG.warn(
                    "auth-jdbc is on the class path, and this node keeps revocations in its memory, where no other node sees"
                            + " them: there is no DataSource, or there are several and none is primary. Spring Boot makes no DataSource beside"
                            + " an R2DBC ConnectionFactory: declare a DataSource bean. For a single node, set"
                            + " latchkey.jdbc.enabled=false");
        }
    }
}
