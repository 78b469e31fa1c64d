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
 * The answer of a primary and its replicas about a changed session. A separate class, because Lettuce is necessary and
 * may be missing in a service.
 *
 * <p><b>{@code WAIT} covers only the writes of its own connection.</b> On a newly opened connection, {@code WAIT} may
 * cover no write. Therefore four commands go over one connection. The first gives the connection a unique name. A
 * script checks the session and writes a value. {@code WAIT} follows, and the last command reads the name. After a
 * broken connection, the driver sends the unanswered commands again in order, but does not set the name again. If the
 * last command returns the name, all four commands used one connection. Then the reported number of replicas has the
 * state that the script saw, whichever server answered.
 *
 * @param isSo whether the session has the expected state
 * @param replicas the number of replicas with this state
 * @param isOneConnection whether all commands used one connection
 */
record ConfirmedLogin(boolean isSo, long replicas, boolean isOneConnection) {

    /**
     * Asks for the state, with a time limit. Uses a separate connection, because other commands on the connection would
     * have to wait too.
     *
     * @param keys the keys of the script
     * @param arguments the arguments of the script
     * @param number the wanted number of replicas
     * @param longest the time limit, at least 1 ms: {@code WAIT} with zero has no limit
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
            // Without the output type, the driver expects a text.
            Object unused = connection.execute(
                    "WAIT",
                    new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                    bytes(Integer.toString(number)),
                    bytes(Long.toString(longest.toMillis())));
            connection.serverCommands().getClientName();
            // The first answer belongs to the command that sets the name.
            List<Object> answers = connection.closePipeline();
            return new ConfirmedLogin(answers.get(1).equals(1L), (Long) answers.get(2), name.equals(answers.get(3)));
        }
    }

    /** Waits for zero replicas, only to check the right to call WAIT. */
    static void tryToWait(RedisConnection connection) {
        Object unused = ((LettuceConnection) connection)
                .execute("WAIT", new IntegerOutput<>(ByteArrayCodec.INSTANCE), bytes("0"), bytes("1"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
