package dev.latchkey.auth.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A script that Redis runs in one step. The text is in the file {@code <name>.lua} beside this class. All keys of the
 * script are in one slot of a Cluster. Redis keeps the script by its digest. If Redis has forgotten the script, the
 * driver sends the script again.
 *
 * @param <T> the type of the answer: a number or a text
 */
final class Script<T> {

    static final Script<Long> RECORD = new Script<>("record", Long.class);
    static final Script<Long> TRACE = new Script<>("trace", Long.class);
    static final Script<String> ASK = new Script<>("ask", String.class);
    static final Script<Long> SWEEP = new Script<>("sweep", Long.class);
    static final Script<Long> HOLD = new Script<>("hold", Long.class);
    static final Script<Long> KEEP_LOGIN = new Script<>("keep-login", Long.class);
    static final Script<Long> NOT_SENT = new Script<>("not-sent", Long.class);
    static final Script<String> END_LOGIN = new Script<>("end-login", String.class);
    static final Script<String> TAKE_TOKENS = new Script<>("take-tokens", String.class);
    static final Script<Long> LIST_LOGIN = new Script<>("list-login", Long.class);
    static final Script<String> MISSING_RIGHTS = new Script<>("missing-rights", String.class);
    static final Script<Long> CONFIRM_LOGIN = new Script<>("confirm-login", Long.class);

    private final RedisScript<T> script;

    private Script(String name, Class<T> answer) {
        this.script = RedisScript.of(text(name + ".lua"), answer);
    }

    T run(StringRedisTemplate redis, List<String> keys, List<String> arguments) {
        return Objects.requireNonNull(redis.execute(script, keys, arguments.toArray()), "a script has an answer");
    }

    /** The script's text as sent to Redis. */
    String text() {
        return script.getScriptAsString();
    }

    private static String text(String file) {
        try (InputStream script = Objects.requireNonNull(Script.class.getResourceAsStream(file), file)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
