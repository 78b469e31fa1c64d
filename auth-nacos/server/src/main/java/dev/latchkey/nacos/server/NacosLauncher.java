package dev.latchkey.nacos.server;

import com.alibaba.nacos.NacosServerBasicApplication;
import com.alibaba.nacos.NacosServerWebApplication;
import com.alibaba.nacos.console.NacosConsole;
import com.alibaba.nacos.core.listener.startup.NacosStartUp;
import com.alibaba.nacos.core.listener.startup.NacosStartUpManager;
import com.alibaba.nacos.sys.env.Constants;
import com.alibaba.nacos.sys.env.DeploymentType;
import com.alibaba.nacos.sys.env.EnvUtil;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts the server's three contexts, each after its phase: the gRPC part, then HTTP, then the console.
 *
 * <p>With the system property {@code latchkey.lifeline}, the process ends with its standard input, and therefore with
 * its parent.
 */
public final class NacosLauncher {

    private NacosLauncher() {}

    /** Starts the deployment type of the system property {@code nacos.deployment.type}, by default {@code merged}. */
    public static void main(String[] args) {
        if (Boolean.getBoolean("latchkey.lifeline")) {
            Lifeline.hold(System.in);
        }
        DeploymentType type = DeploymentType.getType(
                System.getProperty(Constants.NACOS_DEPLOYMENT_TYPE, Constants.NACOS_DEPLOYMENT_TYPE_MERGED));
        EnvUtil.setDeploymentType(type);
        NacosStartUpManager.start(NacosStartUp.CORE_START_UP_PHASE);
        ConfigurableApplicationContext core = new SpringApplicationBuilder(NacosServerBasicApplication.class)
                .web(WebApplicationType.NONE)
                .run(args);
        NacosStartUpManager.start(NacosStartUp.WEB_START_UP_PHASE);
        start(NacosServerWebApplication.class, core, args);
        if (type == DeploymentType.MERGED) {
            NacosStartUpManager.start(NacosStartUp.CONSOLE_START_UP_PHASE);
            start(NacosConsole.class, core, args);
        }
    }

    private static void start(Class<?> application, ConfigurableApplicationContext core, String[] args) {
        new SpringApplicationBuilder(application).parent(core).run(args);
    }
}
