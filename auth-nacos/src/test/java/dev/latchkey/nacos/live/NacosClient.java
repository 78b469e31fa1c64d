package dev.latchkey.nacos.live;

import com.alibaba.nacos.api.NacosFactory;
import com.alibaba.nacos.api.PropertyKeyConst;
import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.config.listener.AbstractListener;
import com.alibaba.nacos.api.config.listener.Listener;
import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingService;
import com.alibaba.nacos.api.naming.pojo.Instance;
import com.alibaba.nacos.client.config.utils.SnapShotSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;

/** The services of the client's library for one test, all ended together. */
public final class NacosClient implements AutoCloseable {

    static final String REFUSED = "refused: ";
    static final String NO_ANSWER = "no answer";

    private static final long READ_MILLIS = 30_000;

    static {
        // Otherwise the library answers from its disk while the server is silent.
        SnapShotSwitch.setIsSnapShot(false);
    }

    @FunctionalInterface
    private interface Shutdown {
        void run() throws NacosException;
    }

    private final Properties properties = new Properties();
    private final List<Shutdown> opened = new ArrayList<>();

    private NacosClient(String addresses, String username, String password) {
        properties.setProperty(PropertyKeyConst.SERVER_ADDR, addresses);
        properties.setProperty(PropertyKeyConst.USERNAME, username);
        properties.setProperty(PropertyKeyConst.PASSWORD, password);
    }

    public static NacosClient of(NacosServer server, String username, String password) {
        return of(server.address(), username, password);
    }

    /** @param addresses several are divided by commas */
    static NacosClient of(String addresses, String username, String password) {
        return new NacosClient(addresses, username, password);
    }

    /** A client with this token in place of a name and a password. */
    static NacosClient of(NacosServer server, String token) {
        NacosClient client = new NacosClient(server.address(), "", "");
        client.properties.setProperty(TokenOfAnIssuer.PROPERTY, token);
        return client;
    }

    public ConfigService config() throws NacosException {
        ConfigService service = NacosFactory.createConfigService(properties);
        opened.add(service::shutDown);
        return service;
    }

    NamingService naming() throws NacosException {
        NamingService service = NacosFactory.createNamingService(properties);
        opened.add(service::shutDown);
        return service;
    }

    /**
     * The text of group G, the server's words behind {@link #REFUSED}, or {@link #NO_ANSWER}, also for a missing text: the
     * library does not tell these two apart.
     */
    public static String read(ConfigService config, String dataId) {
        return read(config, "G", dataId);
    }

    static String read(ConfigService config, String group, String dataId) {
        try {
            String text = config.getConfig(dataId, group, READ_MILLIS);
            return text == null ? NO_ANSWER : text;
        } catch (NacosException e) {
            return e.getErrCode() == NacosException.NO_RIGHT ? REFUSED + e.getErrMsg() : NO_ANSWER;
        }
    }

    static boolean publish(ConfigService config, String dataId, String content) {
        try {
            return config.publishConfig(dataId, "G", content);
        } catch (NacosException e) {
            return false;
        }
    }

    /** Whether the registration succeeded: a library refuses before the connection. */
    static boolean register(NamingService naming, String service) {
        try {
            naming.registerInstance(service, "10.1.1.1", 8080);
            return true;
        } catch (NacosException e) {
            return false;
        }
    }

    static List<Instance> instances(NamingService naming, String service) {
        try {
            return naming.selectInstances(service, true);
        } catch (NacosException e) {
            return List.of();
        }
    }

    static Listener listener(Consumer<String> heard) {
        return new AbstractListener() {
            @Override
            public void receiveConfigInfo(String text) {
                heard.accept(text);
            }
        };
    }

    @Override
    public void close() throws NacosException {
        for (Shutdown each : opened) {
            each.run();
        }
    }
}
