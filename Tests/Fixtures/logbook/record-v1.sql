PRAGMA application_id = 1347571028;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  study_id TEXT NOT NULL,
  person TEXT,
  device TEXT NOT NULL,
  phase TEXT,
  type TEXT NOT NULL,
  prompt_id TEXT,
  ring_no INTEGER,
  alarm_id TEXT,
  alarm_version INTEGER,
  tone_sha256 TEXT,
  actor_role TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  source TEXT NOT NULL,
  wall_utc_ms INTEGER NOT NULL,
  tz_name TEXT NOT NULL,
  utc_offset_s INTEGER NOT NULL,
  tzdata_version TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  boottime_ns INTEGER NOT NULL,
  clock_state TEXT NOT NULL,
  clock_error_ms INTEGER,
  payload TEXT NOT NULL,
  payload_digest TEXT,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO events VALUES(1,'80021590-ff0b-4dc3-a53c-36d76cec99e0',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796000582601,'Europe/Berlin',3600,'2026c','0f1e2d3c',583601000000,'synced',NULL,'{}',NULL,'0000000000000000000000000000000000000000000000000000000000000000','34652c0564cae204c7828ca7f9f2a46c30c02cecfb2262fa197a896f39413384');
INSERT INTO events VALUES(2,'75852712-0fbb-4785-a83d-7e35de181749',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796001040337,'Europe/Berlin',3600,'2026c','0f1e2d3c',1041337000000,'synced',NULL,'{}',NULL,'34652c0564cae204c7828ca7f9f2a46c30c02cecfb2262fa197a896f39413384','5ae7e150082f48d342ecb83ab4ae5b5cd753d7e07a87b2bbc1bbd9e0c6e29c57');
INSERT INTO events VALUES(3,'fe8bcf14-4dd4-4c9a-805d-aa4b8acf7674',1,'',NULL,'D-16q4g4jx',NULL,'tone_added',NULL,NULL,NULL,NULL,'cd1','caretaker','uid:1000','socket',1796001516734,'Europe/Berlin',3600,'2026c','0f1e2d3c',1517734000000,'synced',NULL,'{"duration_ms":2000,"loudness_lufs":-16.5}','e1815fbc561467830f9e755b76452984ead83fb74c581955ef4dda679416fe9c','5ae7e150082f48d342ecb83ab4ae5b5cd753d7e07a87b2bbc1bbd9e0c6e29c57','36bfbafae69f96c9ade7360f446b0af151344f42cb1886359ec9635b174ffe51');
INSERT INTO events VALUES(4,'a8574c6f-ae6d-4b6f-bb4a-79a517cec22a',1,'','P-am8fd8tt','D-16q4g4jx',NULL,'reward',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796001542982,'Europe/Berlin',3600,'2026c','0f1e2d3c',1543982000000,'synced',3,'{"person":"P-am8fd8tt","date":"2024-10-08","heard":true}',NULL,'36bfbafae69f96c9ade7360f446b0af151344f42cb1886359ec9635b174ffe51','c1e087e50bee2c34db496e021c83cfe76442b72ccf1d856c562f6a11acb2847d');
INSERT INTO events VALUES(5,'ee89af30-9637-44ae-8865-ef73371863e2',1,'',NULL,'D-16q4g4jx',NULL,'volume_changed',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002079345,'Europe/Berlin',3600,'2026c','0f1e2d3c',2080345000000,'synced',3,'{"cause":"calibrated","percent":70}','6503eeeb04dc7b3a7ab2113a2c12e1c675f88186ab835d2b29fc47642d9ccf58','c1e087e50bee2c34db496e021c83cfe76442b72ccf1d856c562f6a11acb2847d','688290858601b139540ef53052ff00c4b262283c8c696ec9dd725980ccc1f684');
INSERT INTO events VALUES(6,'cd8f54d1-0efd-417e-ac06-f33e6310841f',1,'',NULL,'D-16q4g4jx',NULL,'tone_removed',NULL,NULL,NULL,NULL,'cd1','caretaker','uid:1000','socket',1796002158295,'Europe/Berlin',3600,'2026c','0f1e2d3c',2159295000000,'synced',3,'{"duration_ms":2000,"loudness_lufs":-16.5}','69a705b8a7ba5043476bbe8ca9e4be45722932fb624480f6d99d0ad2b320dedb','688290858601b139540ef53052ff00c4b262283c8c696ec9dd725980ccc1f684','d131e3f14316e49849e8367e6f4b877bff91a565724f812723d9ac5dc4bfe0e2');
INSERT INTO events VALUES(7,'9fb9aad1-c505-4349-b7b6-77c17d40430c',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002210933,'Europe/Berlin',3600,'2026c','0f1e2d3c',2211933000000,'synced',NULL,'{}',NULL,'d131e3f14316e49849e8367e6f4b877bff91a565724f812723d9ac5dc4bfe0e2','780ef6eaee25a6edc2d823b7344d60b04c43016070be8858b35fe27f7f9b9b7e');
INSERT INTO events VALUES(8,'35714a86-a71c-4983-abf7-2d0defaeb9b6',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002785932,'Europe/Berlin',3600,'2026c','0f1e2d3c',2786932000000,'synced',3,'{}',NULL,'780ef6eaee25a6edc2d823b7344d60b04c43016070be8858b35fe27f7f9b9b7e','4b3c3d6292e19ac0d4b76dc1b7e07c5f6c9c0bffd04be8af4ef56b27a3b8cd79');
INSERT INTO events VALUES(9,'27cd5b44-4516-430b-8a77-0919e8676cff',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002826953,'Europe/Berlin',3600,'2026c','0f1e2d3c',2827953000000,'synced',3,'{}',NULL,'4b3c3d6292e19ac0d4b76dc1b7e07c5f6c9c0bffd04be8af4ef56b27a3b8cd79','187eae8ece51c8e8068a216d187eecae576929fed520bc0420be4deee96c7800');
INSERT INTO events VALUES(10,'84d0c512-0bd7-4c99-ba89-07c967192b96',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002994914,'Europe/Berlin',3600,'2026c','0f1e2d3c',2995914000000,'synced',NULL,'{}',NULL,'187eae8ece51c8e8068a216d187eecae576929fed520bc0420be4deee96c7800','fac200ce7919a4d85b6dd571a11afcbc02a3377ac9a97dc3450c59ae54818a14');
INSERT INTO events VALUES(11,'0cfffe56-222e-4e87-b5e0-4b5e44022e8b',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz6',1,NULL,'caretaker','uid:1000','socket',1796003335988,'Europe/Berlin',3600,'2026c','0f1e2d3c',3336988000000,'synced',NULL,'{"person":"P-d3be0d1d","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3,"check_in":{"holds_completion":false,"questions":[{"name":"pain","kind":"scale","required":true,"min":0,"max":10},{"name":"note","kind":"text","required":false},{"name":"weight","kind":"number","required":false,"unit":"kg","min":30,"max":200}]}}','74398eb749a00758a8685bbbece4b6cf4d5fe987b8d78b78980d5aab91d6ff3d','fac200ce7919a4d85b6dd571a11afcbc02a3377ac9a97dc3450c59ae54818a14','c73854b4251c1807df75da3491d4a067fd776f98bf4744ef1cb238b018cb96e5');
INSERT INTO events VALUES(12,'c1533500-bb59-4cbf-989d-eb96b2a46ad1',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796003919600,'Europe/Berlin',3600,'2026c','0f1e2d3c',3920600000000,'synced',NULL,'{}',NULL,'c73854b4251c1807df75da3491d4a067fd776f98bf4744ef1cb238b018cb96e5','09fd12bbbd098235d6480a5347e397968fec544fe54a96cbe388f22fd4b45004');
INSERT INTO events VALUES(13,'3c135bbe-71a1-47ab-862c-7e6049c7a0dc',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T03:05:39~2',NULL,'k3v9zz6',1,NULL,'caretaker','uid:1000','socket',1796004435693,'Europe/Berlin',3600,'2026c','0f1e2d3c',4436693000000,'synced',NULL,'{"due_ms":1796004339000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'09fd12bbbd098235d6480a5347e397968fec544fe54a96cbe388f22fd4b45004','924f375b831b0499e0b60fc02f9fcfaec5171b3127a80609ccee8d8a8715c8c6');
INSERT INTO events VALUES(14,'b2ff8786-380d-4fa7-8160-c69f01d170de',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796004568156,'Europe/Berlin',3600,'2026c','0f1e2d3c',4569156000000,'synced',NULL,'{"person":"P-d3be0d1d","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3,"check_in":{"holds_completion":false,"questions":[{"name":"pain","kind":"scale","required":true,"min":0,"max":10},{"name":"note","kind":"text","required":false},{"name":"weight","kind":"number","required":false,"unit":"kg","min":30,"max":200}]}}','9e90193af4b481c2d2188fcf400f78df148bc10a5eab2cf25fe23aca2639ce22','924f375b831b0499e0b60fc02f9fcfaec5171b3127a80609ccee8d8a8715c8c6','236e61756cc2cee656756aa1b45f89233ffe55d26cb297044af1ff44a9144efc');
INSERT INTO events VALUES(15,'387ec812-cd6a-4ed6-9e68-e918610e0e53',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'due','k3v9zz6@2026-11-30T03:05:39~2',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796005018499,'Europe/Berlin',3600,'2026c','0f1e2d3c',5019499000000,'synced',3,'{"late_ms":12}',NULL,'236e61756cc2cee656756aa1b45f89233ffe55d26cb297044af1ff44a9144efc','e13e11b196443d734b9303f133ec3d8eae9de8dc55dd4dd30376bec95495ee88');
INSERT INTO events VALUES(16,'969f4d30-eaf9-4f28-b330-37213230d9e4',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796005461352,'Europe/Berlin',3600,'2026c','0f1e2d3c',5462352000000,'synced',3,'{}',NULL,'e13e11b196443d734b9303f133ec3d8eae9de8dc55dd4dd30376bec95495ee88','d0b62b830a3ec4c5d99f191aee07c655c4767648cd94e41def8417fe0ea50136');
INSERT INTO events VALUES(17,'7ad5ed61-0410-46e9-b405-ba77ef73464d',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T03:32:21',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796006033086,'Europe/Berlin',3600,'2026c','0f1e2d3c',6034086000000,'synced',3,'{"due_ms":1796005941000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'d0b62b830a3ec4c5d99f191aee07c655c4767648cd94e41def8417fe0ea50136','5e94e63051dc46a9b1afd12194ffee67d2086e081e472e2201bad8a53d1f0784');
INSERT INTO events VALUES(18,'e5be4c4c-fd8c-4f21-b8e8-6abdf4006053',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'due','k3v9zz6@2026-11-30T03:32:21',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796006033154,'Europe/Berlin',3600,'2026c','0f1e2d3c',6034154000000,'synced',NULL,'{"late_ms":12}',NULL,'5e94e63051dc46a9b1afd12194ffee67d2086e081e472e2201bad8a53d1f0784','ff82e07f8ebf96df71b94f8ac5e9ee19294bed2cb44bf91adc9ccce6876571e0');
INSERT INTO events VALUES(19,'9017ca29-e43c-4ff0-8f4a-5b0c0b0bc764',1,'',NULL,'D-16q4g4jx',NULL,'export_made',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796006317493,'Europe/Berlin',3600,'2026c','0f1e2d3c',6318493000000,'synced',NULL,'{"profile":"safe_harbor","layout":"frictionless","through_seq":3,"sha256":"00"}',NULL,'ff82e07f8ebf96df71b94f8ac5e9ee19294bed2cb44bf91adc9ccce6876571e0','01219d114d226aa2fb60b7f8f894658078bac30f2894e9313a6d3505fe5d3413');
INSERT INTO events VALUES(20,'afec5127-2787-4516-af7a-cd9a859c679b',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_intent','k3v9zz6@2026-11-30T03:32:21',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796006603847,'Europe/Berlin',3600,'2026c','0f1e2d3c',6604847000000,'synced',3,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796006317493,"intended_ms":1796006317493,"started_ms":null,"deadline_ms":1796006617493}',NULL,'01219d114d226aa2fb60b7f8f894658078bac30f2894e9313a6d3505fe5d3413','6f241bb7c899f53afe6ac0d451455094c7315903fa9939e083c77b74393e139b');
INSERT INTO events VALUES(21,'52c84d5a-9252-48e0-94ce-e25cb0d1c586',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_started','k3v9zz6@2026-11-30T03:32:21',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796006721954,'Europe/Berlin',3600,'2026c','0f1e2d3c',6722954000000,'synced',NULL,'{"level_found":null,"muted":null,"level_set":null}','6bb52bab1254d7d52141e9dd9a6385da1a33f2d99ea3a15b52cfe8a1037f3670','6f241bb7c899f53afe6ac0d451455094c7315903fa9939e083c77b74393e139b','95a1a0264cb4cfc7d3fd5b046b8bd0ab1f34384cd598cbc67acd2382b9af7a2e');
INSERT INTO events VALUES(22,'7fb77510-3ab2-4011-bcff-1479811a9ac0',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T03:56:21~2',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796006915456,'Europe/Berlin',3600,'2026c','0f1e2d3c',6916456000000,'synced',NULL,'{"due_ms":1796007381000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'95a1a0264cb4cfc7d3fd5b046b8bd0ab1f34384cd598cbc67acd2382b9af7a2e','f5f7541dde650019b848297564033e1a0da3cbc36d1b5fc17fb11e9036c50d0d');
INSERT INTO events VALUES(23,'ac5f3239-67dc-4947-b3e0-73cab4459509',1,'',NULL,'D-16q4g4jx',NULL,'image_added',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796007066663,'Europe/Berlin',3600,'2026c','0f1e2d3c',7067663000000,'synced',NULL,'{"media_type":"image/jpeg","width":40,"height":30,"bytes":1234}','3b282d265ee652a5fcf9dafa64e2151c0e8e886891fce2e6e8aebb01e6be9cb7','f5f7541dde650019b848297564033e1a0da3cbc36d1b5fc17fb11e9036c50d0d','89115c0417775b5382b905ae2e628ae8ad7749f37a2a2ab58cf28d9fdc9d89ef');
INSERT INTO events VALUES(24,'bb139892-d767-491e-a125-eca09e3e6629',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'photo_added','k3v9zz6@2026-11-30T03:05:39~2',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796007372669,'Europe/Berlin',3600,'2026c','0f1e2d3c',7373669000000,'synced',3,'{}','1ea845515b6a76b5c0f725a234e63e45e251d2d76eb844c90d0b060d522c4300','89115c0417775b5382b905ae2e628ae8ad7749f37a2a2ab58cf28d9fdc9d89ef','15bd0aa57970da4819a9dbd729fcfa6f4e620920aca7a8b14e14ed00bf13323c');
INSERT INTO events VALUES(25,'8711a227-eb1e-46d2-b5d5-28a35a1502f9',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_intent','k3v9zz6@2026-11-30T03:05:39~2',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796007902928,'Europe/Berlin',3600,'2026c','0f1e2d3c',7903928000000,'synced',NULL,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796007372669,"intended_ms":1796007372669,"started_ms":null,"deadline_ms":1796007672669}',NULL,'15bd0aa57970da4819a9dbd729fcfa6f4e620920aca7a8b14e14ed00bf13323c','25ddc41ef57dd8049d998561059644fbc4c38f5db1ed1574c3c12334aa22a5d1');
INSERT INTO events VALUES(26,'43876668-4783-4878-93aa-54953596bd9f',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_started','k3v9zz6@2026-11-30T03:05:39~2',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796007998947,'Europe/Berlin',3600,'2026c','0f1e2d3c',7999947000000,'synced',3,'{"level_found":null,"muted":null,"level_set":null}','f95db6582fab93e69cf0ed6a2db248fbafcab09e1c936572c7633aef93119047','25ddc41ef57dd8049d998561059644fbc4c38f5db1ed1574c3c12334aa22a5d1','e85ace11ea73a0a34eab382fc0aa1d19e7bf40179ee207ccc46e903618298909');
INSERT INTO events VALUES(27,'be63ca97-bb20-43dc-95fb-0fc142a345ce',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796008432296,'Europe/Berlin',3600,'2026c','0f1e2d3c',8433296000000,'synced',NULL,'{}',NULL,'e85ace11ea73a0a34eab382fc0aa1d19e7bf40179ee207ccc46e903618298909','1b1b9b0b8536d1770a7011a0570ddd8a52c9c6ff018c714b5c2cdb0e7a977235');
INSERT INTO events VALUES(28,'e16cb01e-0695-4438-9749-1e937a53386c',1,'',NULL,'D-16q4g4jx',NULL,'audio_lost',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796008947092,'Europe/Berlin',3600,'2026c','0f1e2d3c',8948092000000,'synced',NULL,'{}','d7f022028cfc36e8e0dce3bb15c9c016b6b6e127af74dc25e17ab5bbe2908d51','1b1b9b0b8536d1770a7011a0570ddd8a52c9c6ff018c714b5c2cdb0e7a977235','ff06fcf0e065e35b317a59e5695c812c253b807699320fc7de18cfa76e308b71');
INSERT INTO events VALUES(29,'b10e602e-27d8-4af0-b9c3-1138407e25c0',1,'','P-am8fd8tt','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz14',1,NULL,'caretaker','uid:1000','socket',1796009203788,'Europe/Berlin',3600,'2026c','0f1e2d3c',9204788000000,'synced',3,'{"person":"P-am8fd8tt","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3,"check_in":{"holds_completion":false,"questions":[{"name":"pain","kind":"scale","required":true,"min":0,"max":10},{"name":"note","kind":"text","required":false},{"name":"weight","kind":"number","required":false,"unit":"kg","min":30,"max":200}]}}','60ac4fe782763351808397baa74f8395866d512f85bfee3b6a79a260325f13d6','ff06fcf0e065e35b317a59e5695c812c253b807699320fc7de18cfa76e308b71','2db6d2c94915b20af6fc5a67674b2e843e552c210a252d76aa1f4ac644e9e489');
INSERT INTO events VALUES(30,'40baf3b5-6d5b-43bc-a851-a9de2d57c9c7',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz15',1,NULL,'caretaker','uid:1000','socket',1796009732168,'Europe/Berlin',3600,'2026c','0f1e2d3c',9733168000000,'synced',3,'{"person":"P-d3be0d1d","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','09eb0e2b8d7657c9d82007485f2967eac760671cac8f07c9801456f1eae30e09','2db6d2c94915b20af6fc5a67674b2e843e552c210a252d76aa1f4ac644e9e489','0841e61c00dc84faa3961b519209e3554365934ca27b94118a7ede03907211ea');
INSERT INTO events VALUES(31,'4b29d172-b1a4-40f3-ae86-73e143ffd098',1,'','P-am8fd8tt','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz14',2,NULL,'caretaker','uid:1000','socket',1796010286927,'Europe/Berlin',3600,'2026c','0f1e2d3c',10287927000000,'synced',3,'{"person":"P-am8fd8tt","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3,"check_in":{"holds_completion":false,"questions":[{"name":"pain","kind":"scale","required":true,"min":0,"max":10},{"name":"note","kind":"text","required":false},{"name":"weight","kind":"number","required":false,"unit":"kg","min":30,"max":200}]}}','ca97295244b033c041a99bd57c7c421f6d01e6a3e390ef3c5ea0cbea4cdce2fe','0841e61c00dc84faa3961b519209e3554365934ca27b94118a7ede03907211ea','ecf28079da631ee8fe403af81d36d137748c8faa58c480d42e382c5bd443eb88');
INSERT INTO events VALUES(32,'f8013d34-d62b-4a18-814a-3ec10a2920db',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T05:00:46',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796010544654,'Europe/Berlin',3600,'2026c','0f1e2d3c',10545654000000,'synced',NULL,'{"due_ms":1796011246000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'ecf28079da631ee8fe403af81d36d137748c8faa58c480d42e382c5bd443eb88','fe6318f097fab63ad5838980dfad08c4d595242d1004f05308a2294389b4ae75');
INSERT INTO events VALUES(33,'90130db3-ff91-43d8-b224-a59ea97b0700',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'due','k3v9zz6@2026-11-30T05:00:46',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796010719861,'Europe/Berlin',3600,'2026c','0f1e2d3c',10720861000000,'synced',3,'{"late_ms":12}',NULL,'fe6318f097fab63ad5838980dfad08c4d595242d1004f05308a2294389b4ae75','f46d0c4a09f0c9a1c0f169c9749e7f7b62f246b18f3d2ccbfe91bec9306ab309');
INSERT INTO events VALUES(34,'51b9c335-37f0-454f-811d-1450400173bc',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_intent','k3v9zz6@2026-11-30T05:00:46',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796010811902,'Europe/Berlin',3600,'2026c','0f1e2d3c',10812902000000,'synced',3,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796010719861,"intended_ms":1796010719861,"started_ms":null,"deadline_ms":1796011019861}',NULL,'f46d0c4a09f0c9a1c0f169c9749e7f7b62f246b18f3d2ccbfe91bec9306ab309','e0979871d675b7e22a310ab2653e3da8f65cb6e679fbba83e789d7651fb988f9');
INSERT INTO events VALUES(35,'92cb2a78-822e-447b-a54b-cfc9e3764176',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_started','k3v9zz6@2026-11-30T05:00:46',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796010869649,'Europe/Berlin',3600,'2026c','0f1e2d3c',10870649000000,'synced',NULL,'{"level_found":null,"muted":null,"level_set":null}','c8dd27af0002380c0109cdb0e65447135450253cbb2ed69ec417b623e7b2fca7','e0979871d675b7e22a310ab2653e3da8f65cb6e679fbba83e789d7651fb988f9','f0b3b0116b72c9d87e9bb9b7e0c783d1c6148f930a036e265b586f721de5917c');
INSERT INTO events VALUES(36,'0b2dce00-f35e-44fd-af3e-c4f6bbbfe9a3',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T05:11:29~2',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796011115888,'Europe/Berlin',3600,'2026c','0f1e2d3c',11116888000000,'synced',NULL,'{"due_ms":1796011889000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'f0b3b0116b72c9d87e9bb9b7e0c783d1c6148f930a036e265b586f721de5917c','9657fa35abb724bf3dcb4c4d6163f7014ca3ecb2335bac19281ab97e89c0664d');
INSERT INTO events VALUES(37,'7b51eb79-2a02-46e8-9a7c-48a89c17db62',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_ended','k3v9zz6@2026-11-30T03:05:39~2',1,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796011706027,'Europe/Berlin',3600,'2026c','0f1e2d3c',11707027000000,'synced',NULL,'{"frames":48000,"xruns":0,"stopped":false}','2bfc5f89256aabf6e83e5649e20f568ef0e6ecb793ded21151b5c69251c37baa','9657fa35abb724bf3dcb4c4d6163f7014ca3ecb2335bac19281ab97e89c0664d','28019220d5adbaffb822b110477e464b95d81280d1682e6b9cdb8495bf603b99');
INSERT INTO events VALUES(38,'2644d19d-a646-4326-9e23-721f84fee4a2',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T05:26:26',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796012129639,'Europe/Berlin',3600,'2026c','0f1e2d3c',12130639000000,'synced',NULL,'{"due_ms":1796012786000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'28019220d5adbaffb822b110477e464b95d81280d1682e6b9cdb8495bf603b99','db69612e76d0e405bc6c398ff2bb8deebafe7bad5d5755fd7984fa0f943d9b14');
INSERT INTO events VALUES(39,'a2ec975f-f40a-4398-979f-9acb5266592f',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'due','k3v9zz6@2026-11-30T05:26:26',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796012148425,'Europe/Berlin',3600,'2026c','0f1e2d3c',12149425000000,'synced',NULL,'{"late_ms":12}',NULL,'db69612e76d0e405bc6c398ff2bb8deebafe7bad5d5755fd7984fa0f943d9b14','5b8cf4f8cd297e5ed03bbb4dcb1c47d914633815f5712573a704fe241da1d310');
INSERT INTO events VALUES(40,'123a7684-90c5-4319-af69-4adf901f0dfd',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'due','k3v9zz6@2026-11-30T03:56:21~2',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796012156425,'Europe/Berlin',3600,'2026c','0f1e2d3c',12157425000000,'synced',NULL,'{"late_ms":12}',NULL,'5b8cf4f8cd297e5ed03bbb4dcb1c47d914633815f5712573a704fe241da1d310','8ab47c2712efbe11b17f5220e90304faedc7dc3ecdc7f9477ace6fddd4e61933');
INSERT INTO events VALUES(41,'c44c9e66-65e4-4a67-82a1-09e7bb795179',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_intent','k3v9zz6@2026-11-30T03:05:39~2',2,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796012454162,'Europe/Berlin',3600,'2026c','0f1e2d3c',12455162000000,'synced',NULL,'{"index":1,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796012156425,"intended_ms":1796012156425,"started_ms":null,"deadline_ms":1796012456425}',NULL,'8ab47c2712efbe11b17f5220e90304faedc7dc3ecdc7f9477ace6fddd4e61933','a164871ce83943421db0f3fd5e8d40b1b1461616da458cf962403828f53cd1c3');
INSERT INTO events VALUES(42,'de78ff3c-f2e8-4dbd-9f7b-c4b67b585af8',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'ring_started','k3v9zz6@2026-11-30T03:05:39~2',2,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796013019395,'Europe/Berlin',3600,'2026c','0f1e2d3c',13020395000000,'synced',NULL,'{"level_found":null,"muted":null,"level_set":null}','9305f94235a2b4abd781ccb89de9914b489fbb50682fa40f52c58f014a03e4b0','a164871ce83943421db0f3fd5e8d40b1b1461616da458cf962403828f53cd1c3','37074569aac7b2b1d577aef244dee9acdb4f4b293163ec933e2731e85f256a15');
INSERT INTO events VALUES(43,'d36e5b72-0370-4432-9d4d-dbc07c120518',1,'','P-am8fd8tt','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz19',1,NULL,'caretaker','uid:1000','socket',1796013397310,'Europe/Berlin',3600,'2026c','0f1e2d3c',13398310000000,'synced',3,'{"person":"P-am8fd8tt","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','3ec21eea266ea84cc2a9e7838702bb9c3f43299a8546c590e249ed5b91b147cf','37074569aac7b2b1d577aef244dee9acdb4f4b293163ec933e2731e85f256a15','afb0eebcf0dd27c9d34c69ad7c7246a185b4bea55117e1bca91a41b2314557f7');
INSERT INTO events VALUES(44,'44cb73fe-1fe5-4465-85d3-bf26425f283d',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T05:56:37',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796013606001,'Europe/Berlin',3600,'2026c','0f1e2d3c',13607001000000,'synced',3,'{"due_ms":1796014597000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'afb0eebcf0dd27c9d34c69ad7c7246a185b4bea55117e1bca91a41b2314557f7','aa8ee68c62298f1201f42721020dce03efc838d1053f33c08b267d450cca1438');
INSERT INTO events VALUES(45,'966af94f-937e-4c85-b0aa-255d70783596',1,'','P-am8fd8tt','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz19',2,NULL,'caretaker','uid:1000','socket',1796014187870,'Europe/Berlin',3600,'2026c','0f1e2d3c',14188870000000,'synced',NULL,'{"person":"P-am8fd8tt","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','dc29cbb219450dbfea9c27ee583d3e7be30c669835ebaf72ad17000f3323cd94','aa8ee68c62298f1201f42721020dce03efc838d1053f33c08b267d450cca1438','365fc25a3f0141969164bcb1be1bfc712e6f2efc2157bff4a762c431af131b39');
INSERT INTO events VALUES(46,'406b4215-e332-4214-951a-0337bc51bc75',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T06:10:47~2',NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796014514626,'Europe/Berlin',3600,'2026c','0f1e2d3c',14515626000000,'synced',3,'{"due_ms":1796015447000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'365fc25a3f0141969164bcb1be1bfc712e6f2efc2157bff4a762c431af131b39','631becd31460915035b4bc41625d17032da26e172b4112112f88ccea27cd57f5');
INSERT INTO events VALUES(47,'13a37f16-9f62-4209-acde-8cc3e02c9d15',1,'',NULL,'D-16q4g4jx',NULL,'tone_added',NULL,NULL,NULL,NULL,'cd22','caretaker','uid:1000','socket',1796015069184,'Europe/Berlin',3600,'2026c','0f1e2d3c',15070184000000,'synced',NULL,'{"duration_ms":2000,"loudness_lufs":-16.5}','48ab7435653dadbc0f395c6d10cfad8d70842564793cdd2c9f03ea7657df4688','631becd31460915035b4bc41625d17032da26e172b4112112f88ccea27cd57f5','377b11a8e7fd5f9646b3c50d92e336225b913f7b772b60088e64910d5f869372');
INSERT INTO events VALUES(48,'f2b51836-bb57-4a63-aaa1-53c355fbfea6',1,'',NULL,'D-16q4g4jx',NULL,'alarm_deleted',NULL,NULL,'k3v9zz14',2,NULL,'caretaker','uid:1000','socket',1796015579151,'Europe/Berlin',3600,'2026c','0f1e2d3c',15580151000000,'synced',3,'{}',NULL,'377b11a8e7fd5f9646b3c50d92e336225b913f7b772b60088e64910d5f869372','2909e235eee826251f27b19b73fd901bd6f1b27e70a48c7f27095d3725ffea1a');
INSERT INTO events VALUES(49,'15b59ffd-21a1-4c8c-8d96-08f6b6e316e8',1,'','P-d3be0d1d','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz15',2,NULL,'caretaker','uid:1000','socket',1796016074984,'Europe/Berlin',3600,'2026c','0f1e2d3c',16075984000000,'synced',3,'{"person":"P-d3be0d1d","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','66e7ab1ec68e2a7572e988c6af3eed077ed09bdc55d2cd397aff92153b9773bc','2909e235eee826251f27b19b73fd901bd6f1b27e70a48c7f27095d3725ffea1a','be6727781a59de15304591abc199674152b18a3d25e22e37bb3735571bc759e7');
INSERT INTO events VALUES(50,'e469b0b9-3eb7-4d3f-bd9f-9eaed8a4c7d2',1,'',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796016337392,'Europe/Berlin',3600,'2026c','0f1e2d3c',16338392000000,'synced',NULL,'{}',NULL,'be6727781a59de15304591abc199674152b18a3d25e22e37bb3735571bc759e7','307828cef45d0b46fc030b603c53c661c5e93cca6b98f37a50c8407865adee9d');
INSERT INTO events VALUES(51,'96a155bd-61da-4340-9f03-2157b580d13e',1,'','P-am8fd8tt','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz23',1,NULL,'caretaker','uid:1000','socket',1796016354231,'Europe/Berlin',3600,'2026c','0f1e2d3c',16355231000000,'synced',3,'{"person":"P-am8fd8tt","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','8d91ad32a847a5e55a60d4bb6fc132cc5a55b419d63705e403c8bf060935f1bb','307828cef45d0b46fc030b603c53c661c5e93cca6b98f37a50c8407865adee9d','f5118ae979f564db5868f81e87e63b43cba4a2a0b7feed2e0c0d63c50c73850b');
INSERT INTO events VALUES(52,'ec2bf12e-9a94-4dce-a8ff-c423ca82263b',1,'',NULL,'D-16q4g4jx',NULL,'audio_fallback',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796016612628,'Europe/Berlin',3600,'2026c','0f1e2d3c',16613628000000,'synced',3,'{}','43c2355020ced8374601c38fbec136cfe6923fa3a7616d3b443fa5af8f6670f1','f5118ae979f564db5868f81e87e63b43cba4a2a0b7feed2e0c0d63c50c73850b','1f43922678685c7e885eb8c26801c6c8c344c4b4106a57bd1bdbc1d521ba89e5');
INSERT INTO events VALUES(53,'964d5c95-f92c-4949-8d11-b4b4e17f3ee2',1,'',NULL,'D-16q4g4jx',NULL,'alarm_deleted',NULL,NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796016765015,'Europe/Berlin',3600,'2026c','0f1e2d3c',16766015000000,'synced',3,'{}',NULL,'1f43922678685c7e885eb8c26801c6c8c344c4b4106a57bd1bdbc1d521ba89e5','9d45e3b79e8ad7b398928e92c27cfb518f4f5b3c4d0821dc6b872de8b76505e8');
CREATE TABLE contents (
  seq INTEGER PRIMARY KEY REFERENCES events (seq), salt TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
INSERT INTO contents VALUES(3,'966761748e5c43cb614f560177dc7567','{"name":"pills-1"}');
INSERT INTO contents VALUES(5,'630bfdb7a6a634a5f1aa2b57dad0bad0','{"device":"card"}');
INSERT INTO contents VALUES(6,'4687e96568c4e2109c442a5c3c97d714','{"name":"pills-1"}');
INSERT INTO contents VALUES(11,'1ce0dc482f6f617017fcf32e4e82d640','{"label":"pills 33","instructions":"pills 34","phrase":"pills 35","tone":"pills 36","questions":[{"text":"pills?"},{"text":"pills"},{"text":"pills"}]}');
INSERT INTO contents VALUES(14,'07291e88403c4bb563811059bf1f823c','{"label":"pills 37","instructions":"pills 34","phrase":"pills 35","tone":"pills 36","questions":[{"text":"pills?"},{"text":"pills"},{"text":"pills"}]}');
INSERT INTO contents VALUES(21,'cc94c6c89e5fcd275262f0bfb24055f5','{"device":"pills 54"}');
INSERT INTO contents VALUES(23,'5bd21e40e194b888620b9e35989a6cb8','{"sha256":"ef12"}');
INSERT INTO contents VALUES(24,'6b93c34189e1a205a966de0c4d6d8691','{"sha256":"ef12"}');
INSERT INTO contents VALUES(26,'73cf1d6f4e09ebb00e33d26ca0b6cc90','{"device":"pills 71"}');
INSERT INTO contents VALUES(28,'9d777d2e4d99ea1b397fc52cc2314ba6','{"reason":"pills 72"}');
INSERT INTO contents VALUES(29,'f2834b68e05c1de309615769aeba60af','{"label":"pills 73","instructions":"pills 74","phrase":"pills 75","tone":"pills 76","questions":[{"text":"pills?"},{"text":"pills"},{"text":"pills"}]}');
INSERT INTO contents VALUES(30,'6ef281fe6db272205c3160b579e94d2d','{"label":"pills 77","instructions":"pills 78","phrase":"pills 79","tone":"pills 80"}');
INSERT INTO contents VALUES(31,'3ec8f0747e0b5b63c21028765e0ac818','{"label":"pills 81","instructions":"pills 74","phrase":"pills 75","tone":"pills 76","questions":[{"text":"pills?"},{"text":"pills"},{"text":"pills"}]}');
INSERT INTO contents VALUES(35,'53ec5151405dbf965baee4bd3fe53daa','{"device":"pills 82"}');
INSERT INTO contents VALUES(37,'d6e5530f7a5781076c8f1db215c309d9','{"device":"pills 83"}');
INSERT INTO contents VALUES(42,'bb5db929cdbe05902242ff50fd9298b1','{"device":"pills 84"}');
INSERT INTO contents VALUES(43,'707465dab9992d7a706bd2dc08f68237','{"label":"pills 85","instructions":"pills 86","phrase":"pills 87","tone":"pills 88"}');
INSERT INTO contents VALUES(45,'f8cfca12039e8f52ede67459ced9f93d','{"label":"pills 89","instructions":"pills 86","phrase":"pills 87","tone":"pills 88"}');
INSERT INTO contents VALUES(47,'d6e2ddcbe69ff90bd229d16e075074a9','{"name":"pills-22"}');
INSERT INTO contents VALUES(49,'b3f32aa8621308bd23c6664d0ae92f96','{"label":"pills 90","instructions":"pills 78","phrase":"pills 79","tone":"pills 80"}');
INSERT INTO contents VALUES(51,'7f6253940dbb6b8b04483be3c5fad2d4','{"label":"pills 91","instructions":"pills 92","phrase":"pills 93","tone":"pills 94"}');
INSERT INTO contents VALUES(52,'b14e55af4d189082c6fcd674a0b48137','{"from":"pills 97","to":"pills 98","reason":"pills 99"}');
CREATE TABLE alarms (
  alarm_id TEXT PRIMARY KEY, version INTEGER NOT NULL, seq INTEGER NOT NULL REFERENCES events,
  is_deleted INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO alarms VALUES('k3v9zz14',2,31,1);
INSERT INTO alarms VALUES('k3v9zz15',2,49,0);
INSERT INTO alarms VALUES('k3v9zz19',2,45,0);
INSERT INTO alarms VALUES('k3v9zz23',1,51,0);
INSERT INTO alarms VALUES('k3v9zz6',2,14,1);
CREATE TABLE prompts (
  prompt_id TEXT PRIMARY KEY,
  alarm_id TEXT NOT NULL,
  nominal_key INTEGER NOT NULL,
  alarm_version INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  tz_name TEXT NOT NULL,
  utc_offset_s INTEGER NOT NULL,
  phase TEXT NOT NULL,
  phase_detail TEXT NOT NULL,
  next_step_ms INTEGER,
  outcome TEXT,
  reason TEXT,
  closed_ms INTEGER,
  rings_intended INTEGER NOT NULL,
  rings_sounded INTEGER NOT NULL,
  rings_failed INTEGER NOT NULL,
  delays INTEGER NOT NULL,
  last_sounded_ms INTEGER,
  also_nominal TEXT NOT NULL,
  course TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T03:05:39~2','k3v9zz6',3592015879,1,1796004339000,'Europe/Berlin',3600,'ringing','{"name":"ringing","number":2,"index":1,"step":0,"alert":true,"gain_db":-6.0,"tone_sha256":null,"due_ms":1796012156425,"intended_ms":1796012156425,"started_ms":1796013019395,"deadline_ms":1796012456425}',1796012456425,NULL,NULL,NULL,2,2,0,0,1796013019395,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T03:32:21','k3v9zz6',3592019082,2,1796005941000,'Europe/Berlin',3600,'ringing','{"name":"ringing","number":1,"index":0,"step":0,"alert":true,"gain_db":-6.0,"tone_sha256":null,"due_ms":1796006317493,"intended_ms":1796006317493,"started_ms":1796006721954,"deadline_ms":1796006617493}',1796006617493,NULL,NULL,NULL,1,1,0,0,1796006721954,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T03:56:21~2','k3v9zz6',3592021963,2,1796007381000,'Europe/Berlin',3600,'waiting','{"name":"waiting","ring":0,"at_ms":1796007381000}',1796007381000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T05:00:46','k3v9zz6',3592029692,2,1796011246000,'Europe/Berlin',3600,'ringing','{"name":"ringing","number":1,"index":0,"step":0,"alert":true,"gain_db":-6.0,"tone_sha256":null,"due_ms":1796010719861,"intended_ms":1796010719861,"started_ms":1796010869649,"deadline_ms":1796011019861}',1796011019861,NULL,NULL,NULL,1,1,0,0,1796010869649,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T05:11:29~2','k3v9zz6',3592030979,2,1796011889000,'Europe/Berlin',3600,'planned','{"name":"planned"}',1796011889000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T05:26:26','k3v9zz6',3592032772,2,1796012786000,'Europe/Berlin',3600,'waiting','{"name":"waiting","ring":0,"at_ms":1796012786000}',1796012786000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T05:56:37','k3v9zz6',3592036394,2,1796014597000,'Europe/Berlin',3600,'planned','{"name":"planned"}',1796014597000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T06:10:47~2','k3v9zz6',3592038095,2,1796015447000,'Europe/Berlin',3600,'planned','{"name":"planned"}',1796015447000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
CREATE TABLE tones (
  name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, duration_ms INTEGER NOT NULL,
  loudness_lufs REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tones VALUES('pills-22','cd22',2000,-16.5);
CREATE TABLE levels (
  device TEXT PRIMARY KEY, percent INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO levels VALUES('card',70);
CREATE TABLE images (
  sha256 TEXT PRIMARY KEY, media_type TEXT NOT NULL, width INTEGER NOT NULL,
  height INTEGER NOT NULL, bytes INTEGER NOT NULL, prompt_id TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO images VALUES('ef12','image/jpeg',40,30,1234,'k3v9zz6@2026-11-30T03:05:39~2');
CREATE TABLE receipts (
  number INTEGER PRIMARY KEY AUTOINCREMENT, actor TEXT NOT NULL, key TEXT NOT NULL,
  digest TEXT NOT NULL, status INTEGER NOT NULL, content_type TEXT NOT NULL,
  headers TEXT NOT NULL, body TEXT NOT NULL, at_ms INTEGER NOT NULL, UNIQUE (actor, key)
) STRICT;
CREATE TABLE people (
  person TEXT PRIMARY KEY, pseudonym TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
INSERT INTO people VALUES('patient','P-am8fd8tt');
INSERT INTO people VALUES('pills person','P-d3be0d1d');
CREATE TABLE persons (
  person TEXT PRIMARY KEY, seq INTEGER REFERENCES events, is_removed INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO persons VALUES('P-am8fd8tt',NULL,0,'{"phases":[],"rewarded_on":"2024-10-08"}');
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO settings VALUES('device','D-16q4g4jx');
INSERT INTO settings VALUES('export_secret','67ec8e65a18debbe5e5532fbeea293f80bc942ee9086c171b9b501d1d854bb71');
DELETE FROM sqlite_sequence;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_in_order BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END;
CREATE INDEX events_by_prompt ON events (prompt_id) WHERE prompt_id IS NOT NULL;
CREATE INDEX alarm_versions ON events (alarm_id, alarm_version)
WHERE type IN ('alarm_created', 'alarm_edited');
CREATE INDEX enrolments ON events (person) WHERE type = 'enrolled';
CREATE INDEX responses ON events (person, wall_utc_ms) WHERE type = 'response';
CREATE INDEX diary ON events (seq) WHERE type = 'diary';
CREATE INDEX purges ON events (seq) WHERE type = 'purged';
CREATE INDEX exports ON events (seq) WHERE type = 'export_made';
CREATE TRIGGER contents_no_update BEFORE UPDATE ON contents
BEGIN SELECT RAISE(ABORT, 'free text is erased, never changed'); END;
CREATE INDEX prompts_by_due ON prompts (due_ms, nominal_key, prompt_id);
CREATE INDEX alarms_by_row ON alarms (seq);
CREATE INDEX receipts_by_age ON receipts (at_ms);
COMMIT;
