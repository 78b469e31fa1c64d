package dev.latchkey.auth.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;

/**
 * What a primary and its replicas say of a login that was just changed. In a class of its own, since it needs Lettuce, which a service may not have.
 *
 * <p><b>What {@code WAIT} says is about its own connection:</b> that replicas have what was written on it. Over one that was opened anew it may say so of
 * nothing. So four commands go over one connection: it is given a name that nobody else has; a script looks whether the login is what it was made, and writes
 * something; {@code WAIT}; and the name is asked for. Where a connection breaks the driver sends again, in this order, what was not answered, and gives no name again. So a
 * name that comes back was given to the connection that all four went over, and replicas have what the script has seen, whichever server that was.
 *
 * @param isSo whether the login is what it was made
 * @param replicas how many replicas have it
 * @param isOneConnection whether the two are about one server
 */
record ConfirmedLogin(boolean isSo, long replicas, boolean isOneConnection) {

    /**
     * Asks for it, for no longer than that. The connection is none that others use, who would have to wait too.
     *
     * @param keys of the script, and its arguments
     */
    static ConfirmedLogin ask(
            RedisConnectionFactory connections,
            List<String> keys,
            List<String> arguments,
            int number,
            Duration longest) {
        String name = "latchkey-" + UUID.randomUUID();
        try (LettuceConnection connection = (LettuceConnection) connections.getConnection()) {
            connection.openPipeline();
            connection.serverCommands().setClientName(bytes(name));
            connection
                    .scriptingCommands()
                    .eval(
                            bytes(Script.CONFIRM_LOGIN.text()),
                            ReturnType.INTEGER,
                            keys.size(),
                            Stream.concat(keys.stream(), arguments.stream())
                                    .map(ConfirmedLogin::bytes)
                                    .toArray(byte[][]::new));
            // Without this it expects a text.
            Object unused = connection.execute(
                    "WAIT",
                    new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                    bytes(Integer.toString(number)),
                    bytes(Long.toString(longest.toMillis())));
            connection.serverCommands().getClientName();
            // The first one is that the name was given.
            List<Object> answers = connection.closePipeline();
            return new ConfirmedLogin(answers.get(1).equals(1L), (Long) answers.get(2), name.equals(answers.get(3)));
        }
    }

    /** Waits for no replica, which takes the right to wait. */
    static void tryToWait(RedisConnection connection) {
        Object unused = ((LettuceConnection) connection)
                .execute("WAIT", new IntegerOutput<>(ByteArrayCodec.INSTANCE), bytes("0"), bytes("1"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
