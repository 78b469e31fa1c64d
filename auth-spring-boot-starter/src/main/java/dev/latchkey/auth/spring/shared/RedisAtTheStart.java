package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.redis.RedisRights;
import dev.latchkey.auth.redis.RedisSettings;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Opens the connection before the first call, since the first connection may take longer than a call may. Checks the user's
 * rights. Logs that Redis is used if the database is possible as well.
 */
final class RedisAtTheStart implements Runnable {

    private static final String OF_THE_DATABASE = "dev.latchkey.auth.jdbc.JdbcRevocationStore";

    private static final Logger LOG = LoggerFactory.getLogger(RedisAtTheStart.class);

    private final RedisConnectionFactory redis;
    private final RedisSettings settings;
    private final ObjectProvider<DataSource> databases;

    RedisAtTheStart(RedisConnectionFactory redis, RedisSettings settings, ObjectProvider<DataSource> databases) {
        this.redis = redis;
        this.settings = settings;
        this.databases = databases;
    }

    @Override
    public void run() {
        boolean couldBeTheDatabase = ClassUtils.isPresent(OF_THE_DATABASE, RedisAtTheStart.class.getClassLoader())
                && databases.stream().findAny().isPresent();
        if (couldBeTheDatabase) {
            LOG.info("Revocations and logins are in Redis and not in the database; "
                    + "latchkey.store=jdbc puts them into the database");
        }
        RedisUser.requireRights(() -> RedisRights.missingForSessions(redis, settings));
    }
}
