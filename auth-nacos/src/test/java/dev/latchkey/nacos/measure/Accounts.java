package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.NacosServer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * The accounts of one server without a login so far. A rejected account comes again at the end of the queue, so each login is
 * the first login of the account.
 *
 * <p>Safe for use by any number of threads.
 */
final class Accounts {

    private final Queue<String> names = new ConcurrentLinkedQueue<>();

    Accounts(int count) {
        IntStream.range(0, count).mapToObj(NacosServer::userName).forEach(names::add);
    }

    /** @throws IllegalStateException if all have logged in, or are about to: a measurement on would be one of something else */
    String next() {
        String name = names.poll();
        if (name == null) {
            throw new IllegalStateException(
                    "All accounts have logged in; let there be more of them with -Dmeasure.accounts");
        }
        return name;
    }

    /** After the answer to an account's login. */
    void answered(String name, boolean loggedIn) {
        if (!loggedIn) {
            names.add(name);
        }
    }

    int left() {
        return names.size();
    }
}
