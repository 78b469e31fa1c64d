package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.naming.NamingService;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The client's library, which logs in over HTTP and does everything else over gRPC. */
@ExtendWith(SharedServer.class)
final class ClientIT {

    private final NacosServer server;

    ClientIT(NacosServer server) {
        this.server = server;
    }

    @Test
    void configuration_isPublishedReadAndListenedTo() throws Exception {
        try (NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD)) {
            ConfigService config = client.config();
            AtomicReference<String> heard = new AtomicReference<>("");
            config.addListener("listened", "G", NacosClient.listener(heard::set));

            Await.until("published", () -> NacosClient.publish(config, "listened", "one"));
            Await.until("read", () -> "one".equals(NacosClient.read(config, "listened")));
            Await.until("heard", () -> "one".equals(heard.get()));
        }
    }

    @Test
    void instance_isRegisteredAndFound() throws Exception {
        try (NacosClient client = NacosClient.of(server, "nacos", SharedServer.ADMIN_PASSWORD)) {
            NamingService naming = client.naming();

            Await.until("registered", () -> NacosClient.register(naming, "orders"));
            Await.until("found", () -> NacosClient.instances(naming, "orders").size() == 1);
        }
    }

    @Test
    void wrongPassword_readsNothing() throws Exception {
        SharedServer.admin(server).publish("G", "secret", "nobody's business");
        try (NacosClient client = NacosClient.of(server, "nacos", "not the password")) {
            ConfigService config = client.config();

            // A library that is not connected yet has no answer.
            AtomicReference<String> read = new AtomicReference<>(NacosClient.NO_ANSWER);
            Await.until("answered", () -> {
                read.set(NacosClient.read(config, "secret"));
                return !read.get().equals(NacosClient.NO_ANSWER);
            });
            assertThat(read.get()).startsWith(NacosClient.REFUSED);
        }
    }
}
