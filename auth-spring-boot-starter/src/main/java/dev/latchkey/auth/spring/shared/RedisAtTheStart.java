package dev.latchkey.auth.spring.shared;

import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Opens the connection before anything is asked, since a first one may take longer than a call has; and says that Redis is used, where the database
 * could be as well.
 */
final class RedisAtTheStart implements Runnable {

    /** A service without its Redis starts after that, and accepts no token. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final String OF_THE_DATABASE = "dev.latchkey.auth.jdbc.JdbcRevocationStore";

    private static final Logger LOG = LoggerFactory.getLogger(RedisAtTheStart.class);

    private final RedisConnectionFactory redis;
    private final ObjectProvider<DataSource> databases;

    RedisAtTheStart(RedisConnectionFactory redis, ObjectProvider<DataSource> databases) {
        this.redis = redis;
        this.databases = databases;
    }

    @Override
    public void run() {
        boolean couldBeTheDatabase = ClassUtils.isPresent(OF_THE_DATABASE, RedisAtTheStart.class.getClassLoader())
                && databases.stream().findAny().isPresent();
        if (couldBeTheDatabase) {
            LOG.info(
                    "Revocations and logins are in Redis and not in the database, since auth-redis is on the class path; "
                            + "latchkey.redis.enabled=false puts them into the database");
        }
        Thread opening = new Thread(this::open, "latchkey-redis-start");
        opening.setDaemon(true);
        opening.start();
        try {
            opening.join(LONGEST.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does not fail: whoever asks next says what is wrong. */
    private void open() {
        try (RedisConnection connection = redis.getConnection()) {
            connection.ping();
        } catch (RuntimeException e) {
            LOG.debug("Redis does not answer at the start", e);
        }
    }
}
